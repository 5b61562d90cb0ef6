package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PostgresOfConfigTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reconcile status",
        "reconcile status --json",
        "reconcile explain b1",
        "reconcile explain 2026-06-21T00Z",
        "settle close --month 2020-01 --by me"
      })
  void shouldSayThatTheDatabaseCannotBeReached(String command) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Path config = folder.resolve("tollgate.yaml");
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/nothing";
    Files.writeString(config, "postgres: {url: '" + url + "'}\n");
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    CommandLine commandLine = Tollgate.commandLine().setOut(writer).setErr(writer);

    int exitCode = commandLine.execute((command + " --config " + config).split(" "));

    assertThat(exitCode).isEqualTo(1);
    assertThat(said.toString())
        .contains("PostgreSQL at " + url + ": not reachable (expected: a running server")
        .doesNotContain("\tat ");
  }
}
