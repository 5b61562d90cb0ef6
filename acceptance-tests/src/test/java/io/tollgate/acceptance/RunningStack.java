package io.tollgate.acceptance;

import io.tollgate.localstack.LocalStack;
import io.tollgate.localstack.Ports;
import io.tollgate.localstack.Progress;
import java.nio.file.Path;
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
  }
}
