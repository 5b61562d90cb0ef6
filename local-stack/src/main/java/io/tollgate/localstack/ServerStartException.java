package io.tollgate.localstack;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** A server could not be started. The message names it, its log, and the log's last lines. */
public final class ServerStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ServerStartException(String server, String what, Optional<Path> log, List<String> lastLines) {
    super(
        server
            + ": "
            + what
            + log.map(path -> "\n  log: " + path).orElse("")
            + lastLines.stream().map(line -> "\n  | " + line).collect(Collectors.joining()));
  }

  /** A failure that is not the server's own. */
  ServerStartException(ExecutionException cause) {
    super(cause.getMessage(), cause);
  }

  ServerStartException(List<ServerStartException> several) {
    super(several.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")));
    several.forEach(this::addSuppressed);
  }
}
