package io.tollgate.ingest.batch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file as it was when it was opened: what is appended later belongs to the next run.
 *
 * @param path where it lies
 * @param name its name without its folder, as control messages and places show it
 * @param size bytes at that moment
 */
public record SourceFile(Path path, String name, long size) {
  private static final int LOOKED_AT_BYTES = 8192;

  /**
   * Opens a file.
   *
   * @throws RefusedFileException if it is missing, no plain file, empty, unreadable, or binary
   */
  public static SourceFile open(Path path) throws RefusedFileException {
    if (!Files.exists(path)) {
      throw new RefusedFileException("not found (expected: a file)");
    }
    if (Files.isDirectory(path)) {
      throw new RefusedFileException("a directory (expected: files; name them, such as DIR/*.csv)");
    }
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      throw new RefusedFileException("not readable (expected: a plain file that may be read)");
    }
    try {
      long size = Files.size(path);
      if (size == 0) {
        throw new RefusedFileException("0 bytes (expected: at least one record)");
      }
      SourceFile file = new SourceFile(path, String.valueOf(path.getFileName()), size);
      file.refuseBinary();
      return file;
    } catch (IOException e) {
      throw new RefusedFileException("cannot be read: " + e.getMessage());
    }
  }

  /** Opens a stream that begins at byte {@code from}. */
  public InputStream openAt(long from) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      channel.position(from);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return Channels.newInputStream(channel);
  }

  /** A NUL among the first bytes is no text; later ones are bad lines, not a wrong file. */
  private void refuseBinary() throws IOException, RefusedFileException {
    byte[] first;
    try (InputStream in = openAt(0)) {
      first = in.readNBytes(LOOKED_AT_BYTES);
    }
    if (first.length > 1 && (first[0] & 0xFF) == 0x1F && (first[1] & 0xFF) == 0x8B) {
      throw new RefusedFileException("compressed with gzip (expected: text; gunzip it first)");
    }
    int lineEnd = 0;
    while (lineEnd < first.length && first[lineEnd] != '\n') {
      if (first[lineEnd] == 0) {
        throw new RefusedFileException(
            "binary: a NUL byte at " + lineEnd + " (expected: text in UTF-8)");
      }
      lineEnd++;
    }
  }
}
