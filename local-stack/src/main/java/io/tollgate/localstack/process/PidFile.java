package io.tollgate.localstack.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/** A file of two lines: a pid, and the marker by which its process is known again. */
record PidFile(Path path) {

  /**
   * What a pid file says.
   *
   * @param marker one of the arguments of the process
   */
  record Entry(long pid, String marker) {}

  void write(Entry entry) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    Files.writeString(fresh, entry.pid() + "\n" + entry.marker() + "\n");
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns what the file says; empty if there is none or if it is damaged. */
  Optional<Entry> read() {
    try {
      List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
      if (lines.size() < 2 || lines.get(1).isBlank()) {
        return Optional.empty();
      }
      return Optional.of(new Entry(Long.parseLong(lines.get(0).strip()), lines.get(1).strip()));
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }
}
