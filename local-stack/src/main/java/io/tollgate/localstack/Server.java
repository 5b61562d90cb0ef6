package io.tollgate.localstack;

import io.tollgate.localstack.process.DetachedProcess;
import io.tollgate.localstack.process.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One server of the local stack: a process that can be started, stopped, killed and frozen, and
 * that keeps its data over all of these.
 *
 * <p>Any program may hold a {@code Server} for the same folder: whether it runs is read from the
 * pid file each time.
 */
public final class Server {
  private static final Duration START_PATIENCE = Duration.ofMinutes(2);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
  private static final Duration PORTS_PATIENCE = Duration.ofSeconds(3);
  private static final Duration PROBE_EVERY = Duration.ofMillis(100);
  private static final int LOG_LINES = 30;

  private final Recipe recipe;
  private final DetachedProcess process;

  Server(Recipe recipe) {
    this.recipe = recipe;
    this.process = new DetachedProcess(recipe.files().pidFile());
  }

  public String name() {
    return recipe.files().name();
  }

  /** Returns where clients reach it, in the form they are used to: host:port or a URL. */
  public String address() {
    return recipe.address();
  }

  /** Returns the file that tells what the server does. */
  public Path logFile() {
    return recipe.log();
  }

  /** Returns what the server printed, which is where a server that could not start says why. */
  public Path outputFile() {
    return recipe.files().output();
  }

  /**
   * Starts the server on the data it has and waits until it answers. Does nothing but wait if it
   * runs already.
   *
   * @throws ServerStartException if it ends, or does not answer within two minutes; it is stopped
   */
  public void start() {
    start(Map.of());
  }

  /**
   * Starts the server as {@link #start()} does, with more in its environment: a library that shifts
   * its clock, say. Without effect on a server that runs already.
   */
  public void start(Map<String, String> environment) {
    if (!isAlive()) {
      launch(environment);
    }
    awaitAnswer();
  }

  /** Stops the server in an orderly way: within 30 s, else it is killed. Keeps its data. */
  public void stop() {
    process.stop(recipe.politeSignal(), STOP_PATIENCE);
  }

  /** Ends the server at once (SIGKILL), as a power cut would. Keeps its data as it is. */
  public void kill() {
    process.kill();
  }

  /** Stops and starts on the same data and ports. */
  public void restart() {
    stop();
    start();
  }

  /** Lets the server stand still (SIGSTOP): connections stay open and nobody answers. */
  public void freeze() {
    process.freeze();
  }

  /** Lets a frozen server go on (SIGCONT). */
  public void thaw() {
    process.thaw();
  }

  /** Says whether the process exists; a frozen one does. */
  public boolean isAlive() {
    return process.isAlive();
  }

  public Optional<Long> pid() {
    return process.pid();
  }

  /** Returns the pids of the server and of the processes it started. */
  public List<Long> pids() {
    return process.family();
  }

  public ServerStatus status() {
    Optional<Long> pid = process.pid();
    ServerStatus.State state =
        pid.isEmpty()
            ? ServerStatus.State.STOPPED
            : recipe.answers() ? ServerStatus.State.RUNNING : ServerStatus.State.SILENT;
    return new ServerStatus(name(), state, pid, address(), process.residentBytes(), logFile());
  }

  private void launch(Map<String, String> more) {
    awaitFreePorts();
    try {
      Files.createDirectories(recipe.files().folder());
      Launch launch = recipe.prepare();
      Map<String, String> environment = new HashMap<>(launch.environment());
      environment.putAll(more);
      process.start(
          launch.command(),
          environment,
          recipe.files().folder(),
          recipe.files().output(),
          recipe.marker());
    } catch (IOException | UncheckedIOException e) {
      throw failed("cannot be started: " + e.getMessage());
    }
  }

  /** A process that was killed by someone else may need a moment to give its ports back. */
  private void awaitFreePorts() {
    long deadline = System.nanoTime() + PORTS_PATIENCE.toNanos();
    List<Integer> taken = takenPorts();
    while (!taken.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new ServerStartException(
            name(),
            "port "
                + taken.stream().map(String::valueOf).collect(Collectors.joining(", "))
                + ": taken by another program (expected: free; choose others with --port-base or"
                + " stack.ports in tollgate.yaml)",
            Optional.empty(),
            List.of());
      }
      Pause.of(PROBE_EVERY);
      taken = takenPorts();
    }
  }

  private List<Integer> takenPorts() {
    return recipe.ports().stream().filter(port -> !Ports.isFree(port)).toList();
  }

  private void awaitAnswer() {
    long deadline = System.nanoTime() + START_PATIENCE.toNanos();
    while (!recipe.answers()) {
      if (process.hasEnded()) {
        throw failed("ended while starting");
      }
      if (System.nanoTime() > deadline) {
        ServerStartException failure =
            failed("did not answer within " + START_PATIENCE.toMinutes() + " min at " + address());
        stop();
        throw failure;
      }
      Pause.of(PROBE_EVERY);
    }
  }

  private ServerStartException failed(String what) {
    List<String> lines = new ArrayList<>();
    for (Path file : new LinkedHashSet<>(List.of(logFile(), outputFile()))) {
      lines.addAll(DetachedProcess.lastLines(file, LOG_LINES));
    }
    return new ServerStartException(name(), what, Optional.of(logFile()), lines);
  }
}
