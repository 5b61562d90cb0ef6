package io.tollgate.localstack.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One operating system process that outlives the program that started it and is found again through
 * its pid file, also by another program.
 *
 * <p>A pid is used again by the system after its process has ended. So the pid file also holds a
 * marker, an argument that only this server is started with, and a process counts as ours only
 * while it has that argument. Nothing else is ever signalled.
 */
public final class DetachedProcess {
  private static final Duration POLL = Duration.ofMillis(25);
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(20);

  private final PidFile pidFile;

  public DetachedProcess(Path pidFile) {
    this.pidFile = new PidFile(pidFile);
  }

  /**
   * Starts a command in a session of its own, so that neither Ctrl-C nor the end of the terminal
   * reaches it.
   *
   * @param command what to run; one of its arguments must be {@code marker}
   * @param environment added to the environment of this program
   * @param output receives what the process prints; appended to
   * @throws IOException if the command cannot be started
   */
  public void start(
      List<String> command,
      Map<String, String> environment,
      Path directory,
      Path output,
      String marker)
      throws IOException {
    if (!command.contains(marker)) {
      throw new IllegalArgumentException(
          "marker: " + marker + " (expected: an argument of " + command + ")");
    }
    List<String> detached = new ArrayList<>();
    Programs.find("setsid").ifPresent(setsid -> detached.add(setsid.toString()));
    detached.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(detached)
            .directory(directory.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().putAll(environment);
    pidFile.write(new PidFile.Entry(builder.start().pid(), marker));
  }

  /** Returns the pid if the process lives and is the one that was started. */
  public Optional<Long> pid() {
    return pidFile
        .read()
        .filter(entry -> CommandLine.of(entry.pid()).contains(entry.marker()))
        .map(PidFile.Entry::pid);
  }

  public boolean isAlive() {
    return pid().isPresent();
  }

  /**
   * Returns whether the process that was started last has ended. Not the opposite of {@link
   * #isAlive}: while a process goes over to another program (setsid, unshare, the server itself) it
   * has no arguments for a moment, and so cannot be told from a stranger.
   */
  public boolean hasEnded() {
    return pidFile.read().map(entry -> Ending.isOver(entry.pid())).orElse(true);
  }

  /**
   * Asks the process to end and waits for it; after {@code patience} it is killed.
   *
   * @return false if it had to be killed
   */
  public boolean stop(Signal polite, Duration patience) {
    Optional<Long> pid = pid();
    boolean ended = true;
    if (pid.isPresent()) {
      List<Long> family = family(pid.get());
      polite.send(List.of(pid.get()));
      // A frozen process hears nothing until it goes on.
      Signal.CONT.send(family);
      ended = await(() -> Ending.isOver(pid.get()), patience);
      if (!ended) {
        kill();
      }
    }
    pidFile.delete();
    return ended;
  }

  /**
   * Ends the process and its children at once, as a power cut would. Its files stay as they are.
   */
  public void kill() {
    Optional<Long> pid = pid();
    if (pid.isEmpty()) {
      return;
    }
    List<Long> family = family(pid.get());
    Signal.KILL.send(family);
    // Children of a killed PostgreSQL would keep its shared memory, and so hinder its next start.
    if (!await(() -> family.stream().allMatch(Ending::isOver), KILL_PATIENCE)) {
      throw new IllegalStateException(
          "process "
              + pid.get()
              + ": still there "
              + KILL_PATIENCE.toSeconds()
              + " s after SIGKILL (expected: gone; pid file "
              + pidFile.path()
              + ")");
    }
  }

  /** Stops the process and its children from running; they keep memory, files and connections. */
  public void freeze() {
    pid().ifPresent(pid -> Signal.STOP.send(family(pid)));
  }

  /** Lets a frozen process go on. */
  public void thaw() {
    pid().ifPresent(pid -> Signal.CONT.send(family(pid)));
  }

  /** Returns the memory the process and its children hold, in bytes; empty if unknown. */
  public Optional<Long> residentBytes() {
    return pid().flatMap(pid -> ResidentMemory.ofFamily(family(pid)));
  }

  /** Returns the pids of the process and of everything it started. */
  public List<Long> family() {
    return pid().map(DetachedProcess::family).orElse(List.of());
  }

  private static List<Long> family(long pid) {
    return ProcessHandle.of(pid)
        .map(
            handle ->
                Stream.concat(Stream.of(handle), handle.descendants())
                    .map(ProcessHandle::pid)
                    .collect(Collectors.toList()))
        .orElse(List.of());
  }

  private static boolean await(BooleanSupplier condition, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Pause.of(POLL);
    }
    return true;
  }

  /** Returns the last lines of a text file, or nothing if it does not exist. */
  public static List<String> lastLines(Path file, int lines) {
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    try {
      return LastLines.of(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
