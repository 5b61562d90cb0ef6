package io.tollgate.localstack;

import io.tollgate.localstack.process.Pause;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A Kafka broker, a Cassandra node, a PostgreSQL server and a Flink session cluster on this
 * machine, reachable only from it, with all their data in one folder.
 *
 * <p>Each server can also be started alone ({@code stack.cassandra().start()}), for a test that
 * needs only that one. The servers outlive the program that starts them; any program that opens the
 * same folder can ask for their state and stop them.
 *
 * <pre>{@code
 * LocalStack stack = LocalStack.builder().dataDir(folder).ports(Ports.free()).build();
 * stack.start(Progress.silent());
 * ...
 * stack.stop();
 * }</pre>
 */
public final class LocalStack implements AutoCloseable {
  private static final Duration THREADS_PATIENCE = Duration.ofSeconds(20);

  private final StackSettings settings;
  private final FlinkHome flinkHome;
  private final Server kafka;
  private final Server cassandra;
  private final Server postgres;
  private final Server jobManager;
  private final List<Server> taskManagers = new ArrayList<>();

  private LocalStack(StackSettings settings) {
    this.settings = settings;
    Path home = ProjectHome.find();
    Path dataDir = settings.dataDir();
    Ports ports = settings.ports();
    this.kafka = new Server(new KafkaRecipe(dataDir, ports, Artifacts.of(home, "kafka")));
    this.cassandra =
        new Server(new CassandraRecipe(dataDir, ports, Artifacts.of(home, "cassandra")));
    this.postgres = new Server(new PostgresRecipe(dataDir, ports, Artifacts.of(home, "postgres")));
    this.flinkHome =
        new FlinkHome(
            dataDir,
            ports,
            settings.slotsPerTaskManager(),
            settings.flinkConf(),
            Artifacts.of(home, "flink"));
    this.jobManager = new Server(new JobManagerRecipe(flinkHome));
    for (int number = 1; number <= settings.taskManagers(); number++) {
      taskManagers.add(new Server(new TaskManagerRecipe(flinkHome, number)));
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  public static LocalStack of(StackSettings settings) {
    return new LocalStack(settings);
  }

  /**
   * Starts all servers at once, each on the data it has, and waits until all answer. Those that run
   * already are left as they are.
   *
   * @throws ServerStartException if any fails; what this call started is stopped again
   * @throws Pause.StoppedWaitingException if this thread is interrupted; likewise
   * @throws IllegalStateException if the folder's servers run with other ports
   */
  public void start(Progress progress) {
    StackLock lock = StackLock.take(settings.dataDir());
    try {
      leaveFormerStack();
      settings.save();
      startAll(progress);
    } finally {
      lock.release();
    }
  }

  /** Stops all servers that run, in an orderly way; their data stays. */
  public void stop() {
    stop(Progress.silent());
  }

  /** See {@link #stop()}. */
  public void stop(Progress progress) {
    stop(servers(), progress);
  }

  /** Stops all servers. */
  @Override
  public void close() {
    stop();
  }

  public StackStatus status() {
    List<ServerStatus> states = new ArrayList<>();
    for (Server server : servers()) {
      states.add(server.status());
    }
    return new StackStatus(states);
  }

  public Server kafka() {
    return kafka;
  }

  public Server cassandra() {
    return cassandra;
  }

  public Server postgres() {
    return postgres;
  }

  public Server jobManager() {
    return jobManager;
  }

  /**
   * Returns a TaskManager.
   *
   * @param number from 1
   */
  public synchronized Server taskManager(int number) {
    if (number < 1 || number > taskManagers.size()) {
      throw new IllegalArgumentException(
          "TaskManager: " + number + " (expected: 1 to " + taskManagers.size() + ")");
    }
    return taskManagers.get(number - 1);
  }

  public synchronized List<Server> taskManagers() {
    return List.copyOf(taskManagers);
  }

  /** Starts one more TaskManager and waits until the JobManager knows it. */
  public Server addTaskManager() {
    Server added;
    synchronized (this) {
      int number = taskManagers.size() + 1;
      added = new Server(new TaskManagerRecipe(flinkHome, number));
      taskManagers.add(added);
      settings.withTaskManagers(number).save();
    }
    added.start();
    return added;
  }

  /** Returns all servers, those first that take longest to start. */
  public synchronized List<Server> servers() {
    List<Server> servers = new ArrayList<>(List.of(cassandra, kafka, jobManager));
    servers.addAll(taskManagers);
    servers.add(postgres);
    return List.copyOf(servers);
  }

  public StackSettings settings() {
    return settings;
  }

  /** Returns Kafka's address for bootstrap.servers. */
  public String kafkaBootstrap() {
    return kafka.address();
  }

  /** Returns host:port of Cassandra; its data center is {@link #cassandraDatacenter()}. */
  public String cassandraContactPoint() {
    return cassandra.address();
  }

  public String cassandraDatacenter() {
    return "datacenter1";
  }

  public String jdbcUrl() {
    return "jdbc:postgresql://" + postgres.address() + "/" + PostgresRecipe.DATABASE;
  }

  public String postgresUser() {
    return PostgresRecipe.USER;
  }

  /** Returns the address of Flink's dashboard and REST interface. */
  public URI flinkRest() {
    return URI.create(jobManager.address());
  }

  public Path checkpoints() {
    return flinkHome.checkpoints();
  }

  public Path savepoints() {
    return flinkHome.savepoints();
  }

  /** Returns Flink's own command line for this cluster. */
  public FlinkCli flinkCli() {
    return new FlinkCli(flinkHome);
  }

  private void startAll(Progress progress) {
    List<Server> started = Collections.synchronizedList(new ArrayList<>());
    try {
      onAll(
          servers(),
          server -> {
            if (!server.isAlive()) {
              started.add(server);
            }
            start(server, progress);
          });
    } catch (ServerStartException | Pause.StoppedWaitingException e) {
      boolean interrupted = Thread.interrupted();
      stop(started, progress);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      throw e;
    }
  }

  /** Servers of this folder that run otherwise than asked for now would be lost from sight. */
  private void leaveFormerStack() {
    Optional<StackSettings> former = StackSettings.lastUsed(settings.dataDir());
    if (former.isEmpty()) {
      return;
    }
    if (!former.get().ports().equals(settings.ports())
        && servers().stream().anyMatch(Server::isAlive)) {
      throw new IllegalStateException(
          "ports: "
              + settings.ports()
              + " (expected: those of the servers that run in "
              + settings.dataDir()
              + ", or ./tollgate down first)");
    }
    for (int number = settings.taskManagers() + 1;
        number <= former.get().taskManagers();
        number++) {
      new Server(new TaskManagerRecipe(flinkHome, number)).stop();
    }
  }

  private static void start(Server server, Progress progress) {
    progress.starting(server.name());
    long begin = System.nanoTime();
    try {
      server.start();
    } catch (ServerStartException e) {
      progress.failed(server.name());
      throw e;
    }
    progress.ready(server.name(), server.address(), Duration.ofNanos(System.nanoTime() - begin));
  }

  private static void stop(List<Server> servers, Progress progress) {
    onAll(
        servers,
        server -> {
          if (server.isAlive()) {
            progress.stopping(server.name());
          }
          server.stop();
          progress.stopped(server.name());
        });
  }

  private static void onAll(List<Server> servers, Consumer<Server> action) {
    if (servers.isEmpty()) {
      return;
    }
    ExecutorService threads = Executors.newFixedThreadPool(servers.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      for (Server server : servers) {
        running.add(threads.submit(() -> action.accept(server)));
      }
      awaitAll(running);
    } catch (InterruptedException e) {
      threads.shutdownNow();
      // Nothing may be half way through starting a server when the caller stops what was started.
      awaitEnd(threads);
      Thread.currentThread().interrupt();
      throw new Pause.StoppedWaitingException(e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void awaitAll(List<Future<?>> running) throws InterruptedException {
    List<ServerStartException> failures = new ArrayList<>();
    for (Future<?> one : running) {
      try {
        one.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof ServerStartException failure) {
          failures.add(failure);
        } else {
          failures.add(new ServerStartException(e));
        }
      }
    }
    if (failures.size() == 1) {
      throw failures.get(0);
    }
    if (!failures.isEmpty()) {
      throw new ServerStartException(failures);
    }
  }

  private static void awaitEnd(ExecutorService threads) {
    try {
      if (!threads.awaitTermination(THREADS_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("servers are still being started after an interruption");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says how a stack shall be. Only the folder has no default. */
  public static final class Builder {
    private StackSettings settings = StackSettings.defaults(ProjectHome.find());

    private Builder() {}

    /** Sets the folder of all data; made if it does not exist. */
    public Builder dataDir(Path dataDir) {
      settings = settings.withDataDir(dataDir);
      return this;
    }

    public Builder ports(Ports ports) {
      settings = settings.withPorts(ports);
      return this;
    }

    public Builder taskManagers(int taskManagers) {
      settings = settings.withTaskManagers(taskManagers);
      return this;
    }

    public Builder slotsPerTaskManager(int slots) {
      settings = settings.withSlotsPerTaskManager(slots);
      return this;
    }

    /** Sets the config.yaml whose values count but for addresses, ports and folders. */
    public Builder flinkConf(Path flinkConf) {
      settings = settings.withFlinkConf(flinkConf);
      return this;
    }

    public LocalStack build() {
      return new LocalStack(settings);
    }
  }
}
