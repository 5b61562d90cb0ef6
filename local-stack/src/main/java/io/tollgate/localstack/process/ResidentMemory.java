package io.tollgate.localstack.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Memory that processes really hold. */
final class ResidentMemory {
  private ResidentMemory() {}

  /**
   * Returns the resident memory of a process and its children in bytes. Memory that they share is
   * counted once, at its largest: PostgreSQL's buffers appear in each of its processes.
   */
  static Optional<Long> ofFamily(List<Long> pids) {
    long ownBytes = 0;
    long sharedBytes = 0;
    boolean known = false;
    for (long pid : pids) {
      try {
        List<String> lines = Files.readAllLines(Path.of("/proc/" + pid + "/status"));
        long shared = kibibytes(lines, "RssShmem:") * 1024;
        ownBytes += kibibytes(lines, "VmRSS:") * 1024 - shared;
        sharedBytes = Math.max(sharedBytes, shared);
        known = true;
      } catch (IOException e) {
        // Ended between two looks, or a system without /proc: nothing to add.
      }
    }
    return known ? Optional.of(ownBytes + sharedBytes) : Optional.empty();
  }

  private static long kibibytes(List<String> lines, String field) {
    return lines.stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()).replace("kB", "").strip())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
