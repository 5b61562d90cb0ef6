package io.tollgate.cli;

import io.tollgate.localstack.CommandResult;
import io.tollgate.localstack.LocalStack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Submits the jobs with Flink's own command line, each two subtasks wide. */
final class JobSubmission {
  private static final Pattern JOB_ID = Pattern.compile("JobID ([0-9a-f]{32})");

  private final LocalStack stack;
  private final Path home;
  private final Path configFile;
  private final List<String> submitted = new ArrayList<>();

  /**
   * Creates a submission.
   *
   * @param home folder of the project, where the jobs' jars were built
   */
  JobSubmission(LocalStack stack, Path home, Path configFile) {
    this.stack = stack;
    this.home = home;
    this.configFile = configFile;
  }

  /**
   * Submits the rating job without state: it reads the topic from its beginning, and what was
   * charged before is found in the ledger.
   */
  void ratingFresh() {
    submit("rating-job/target/rating-job.jar", List.of("--fresh"));
  }

  /** Submits the reconcile job. */
  void reconcile() {
    submit("reconcile-job/target/reconcile-job.jar", List.of());
  }

  /**
   * Returns the names of the jobs that the cluster runs, as Flink's own command line lists them.
   */
  String running() {
    CommandResult result = stack.flinkCli().run(List.of("list", "-r"));
    if (!result.succeeded()) {
      throw new IllegalStateException("flink list failed:\n" + result.output());
    }
    return result.output();
  }

  /** Cancels what was submitted here. */
  void cancel() {
    for (String job : submitted) {
      CommandResult result = stack.flinkCli().run(List.of("cancel", job));
      if (!result.succeeded()) {
        throw new IllegalStateException("flink cancel " + job + " failed:\n" + result.output());
      }
    }
    submitted.clear();
  }

  private void submit(String jar, List<String> arguments) {
    List<String> line = new ArrayList<>(List.of("run", "-d", "-p", "2"));
    line.add(home.resolve(jar).toString());
    line.addAll(List.of("--config", configFile.toString()));
    line.addAll(arguments);
    CommandResult result = stack.flinkCli().run(line);
    if (!result.succeeded()) {
      throw new IllegalStateException("flink run " + jar + " failed:\n" + result.output());
    }
    Matcher id = JOB_ID.matcher(result.output());
    if (!id.find()) {
      throw new IllegalStateException("flink run " + jar + " named no job:\n" + result.output());
    }
    submitted.add(id.group(1));
  }
}
