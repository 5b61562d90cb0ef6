package io.tollgate.localstack.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Whether a process has ended so far that nothing of it holds a port or a file any more. */
final class Ending {
  private static final Path PROC = Path.of("/proc");

  private Ending() {}

  /**
   * Says whether a process is gone, or is only waiting for its parent to ask how it ended.
   *
   * <p>A killed process loses its command line at once, but its threads give back its ports and
   * files only as each of them ends.
   */
  static boolean isOver(long pid) {
    if (!Files.isDirectory(PROC.resolve("self"))) {
      return !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
    try {
      return isZombie(Files.readString(PROC.resolve(pid + "/stat"))) && threads(pid) <= 1;
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean isZombie(String stat) {
    // The name of the program stands in brackets and may itself contain anything.
    char state = stat.charAt(stat.lastIndexOf(')') + 2);
    return state == 'Z' || state == 'X';
  }

  private static long threads(long pid) throws IOException {
    try (Stream<Path> threads = Files.list(PROC.resolve(pid + "/task"))) {
      return threads.count();
    }
  }
}
