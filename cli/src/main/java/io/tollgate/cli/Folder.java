package io.tollgate.cli;

import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The data of a stack that is used once. */
final class Folder {
  private Folder() {}

  /** Stops what an earlier run left behind there, because it was kept or killed, and clears it. */
  static void stopAndClear(Path folder) {
    StackSettings.lastUsed(folder).ifPresent(settings -> LocalStack.of(settings).stop());
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot clear " + folder, e);
    }
  }
}
