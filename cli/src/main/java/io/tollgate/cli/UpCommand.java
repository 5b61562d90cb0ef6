package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.StackSettings;
import io.tollgate.localstack.process.Pause;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tollgate up}: starts the local stack and leaves it running. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Start Kafka, Cassandra, PostgreSQL and a Flink cluster on this machine, make the topics, the"
          + " ledger and the tables of settlement, and submit the rating job and the reconcile"
          + " job.",
      "They go on running, reachable from this machine only, until ./tollgate down. Their data"
          + " stays for the next start."
    })
final class UpCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;
  private static final String RATING = "tollgate-rating";
  private static final String RECONCILE = "tollgate-reconcile";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StackOptions stackOptions = new StackOptions();

  @Option(
      names = "--task-managers",
      paramLabel = "N",
      defaultValue = "2",
      description = "TaskManagers of Flink (default: ${DEFAULT-VALUE}).")
  private int taskManagers;

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Slots of each TaskManager: the jobs take two each, a rerate one"
              + " (default: ${DEFAULT-VALUE}).")
  private int slots;

  @Option(names = "--no-jobs", description = "Submit no jobs.")
  private boolean noJobs;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    StackSettings settings =
        stackOptions.wanted().withTaskManagers(taskManagers).withSlotsPerTaskManager(slots);
    LocalStack stack = LocalStack.of(settings);
    out.println("Starting the local stack in " + settings.dataDir());
    out.flush();
    Interruption interruption = Interruption.reaches(Thread.currentThread());
    try {
      stack.start(new ConsoleProgress(out));
      provision(stack, out);
      printAddresses(stack, out);
      return 0;
    } catch (Pause.StoppedWaitingException e) {
      out.println("Interrupted. What had been started is stopped again.");
      out.flush();
      return INTERRUPTED;
    } finally {
      interruption.end();
    }
  }

  /** Makes topics, ledger and tables, if the configuration means this stack and no other. */
  private void provision(LocalStack stack, PrintWriter out) throws InterruptedException {
    TollgateConfig config = stackOptions.configuration();
    if (config.kafka().bootstrap().equals(List.of(stack.kafkaBootstrap()))
        && config.cassandra().contactPoints().equals(List.of(stack.cassandraContactPoint()))
        && config.postgres().url().equals(stack.jdbcUrl())) {
      List<String> topics = Provision.run(config);
      out.println(
          topics.isEmpty()
              ? "  topics and ledger are there"
              : "  made the ledger and the topics " + String.join(", ", topics));
      out.flush();
      if (!noJobs) {
        submit(stack, out);
      }
    } else {
      out.println(
          "  topics and ledger are not made: the configuration points to other servers ("
              + config.kafka().bootstrapServers()
              + ")");
    }
  }

  private void submit(LocalStack stack, PrintWriter out) {
    Path file = stackOptions.configurationFile();
    if (file == null) {
      out.println("  no jobs are submitted: they need a tollgate.yaml");
      return;
    }
    JobSubmission jobs = new JobSubmission(stack, StackSettings.projectHome(), file);
    String running = jobs.running();
    if (!running.contains(RECONCILE)) {
      jobs.reconcile();
      out.println("  submitted the reconcile job");
    }
    if (!running.contains(RATING)) {
      jobs.ratingFresh();
      out.println(
          "  submitted the rating job; it charges once the first cycle of reconciliation is"
              + " complete");
    }
    out.flush();
  }

  private static void printAddresses(LocalStack stack, PrintWriter out) {
    out.println();
    out.println("The stack runs.");
    out.println("  Kafka       " + stack.kafkaBootstrap());
    out.println(
        "  Cassandra   "
            + stack.cassandraContactPoint()
            + "  data center "
            + stack.cassandraDatacenter());
    out.println("  PostgreSQL  " + stack.jdbcUrl() + "  user " + stack.postgresUser());
    out.println("  Flink       " + stack.flinkRest());
    out.println("State: ./tollgate status. Stop: ./tollgate down.");
    out.flush();
  }
}
