package io.tollgate.acceptance;

import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Ports;
import io.tollgate.localstack.Progress;
import io.tollgate.localstack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One local stack for all tests of the module: two TaskManagers of two slots each. */
final class RunningStack implements BeforeAllCallback {
  private static final Path FOLDER = Path.of("target", "stack").toAbsolutePath();

  private LocalStack stack;

  @Override
  public void beforeAll(ExtensionContext context) {
    stack =
        context
            .getRoot()
            .getStore(Namespace.GLOBAL)
            .getOrComputeIfAbsent(Started.class, key -> new Started(), Started.class)
            .stack;
  }

  LocalStack stack() {
    return stack;
  }

  Path folder() {
    return FOLDER;
  }

  /** Stopped by JUnit after the last test. */
  private static final class Started implements AutoCloseable {
    private final LocalStack stack =
        LocalStack.builder()
            .dataDir(FOLDER)
            .ports(Ports.free())
            .taskManagers(2)
            .slotsPerTaskManager(2)
            .build();

    Started() {
      clear();
      try {
        stack.start(Progress.silent());
      } catch (RuntimeException e) {
        stack.stop();
        throw e;
      }
    }

    @Override
    public void close() {
      stack.stop();
    }

    /** What an earlier run left there, servers included, would answer for this one. */
    private static void clear() {
      StackSettings.lastUsed(FOLDER).ifPresent(settings -> LocalStack.of(settings).stop());
      if (!Files.exists(FOLDER)) {
        return;
      }
      try (Stream<Path> files = Files.walk(FOLDER)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot clear " + FOLDER, e);
      }
    }
  }
}
