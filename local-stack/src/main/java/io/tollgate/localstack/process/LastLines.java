package io.tollgate.localstack.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a log. */
final class LastLines {
  private static final int BYTES_MAX = 64 * 1024;

  private LastLines() {}

  static List<String> of(Path file, int lines) throws IOException {
    try (RandomAccessFile reader = new RandomAccessFile(file.toFile(), "r")) {
      long length = reader.length();
      long from = Math.max(0, length - BYTES_MAX);
      byte[] tail = new byte[Math.toIntExact(length - from)];
      reader.seek(from);
      reader.readFully(tail);
      List<String> all = new String(tail, StandardCharsets.UTF_8).lines().toList();
      return all.subList(Math.max(0, all.size() - lines), all.size());
    }
  }
}
