package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.config.TollgateConfig;
import io.tollgate.localstack.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TollgateTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldExplainEveryCommand() {
    for (String command : Tollgate.commandLine().getSubcommands().keySet()) {
      assertThat(execute(command, "--help")).as(command).isZero();
    }
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).contains("up", "down", "status");
  }

  @Test
  void shouldTellWrongUsageFromWrongResults() {
    assertThat(execute()).isEqualTo(2);
    assertThat(execute("fly")).isEqualTo(2);
    assertThat(execute("up", "--task-managers", "many")).isEqualTo(2);
  }

  @Test
  void shouldSayThatNothingRuns() {
    assertThat(execute("down", "--data-dir", folder.toString())).isZero();
    assertThat(out.toString()).contains("Nothing runs in " + folder);

    assertThat(execute("status", "--data-dir", folder.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("kafka          stopped");
  }

  @Test
  void shouldTakeFolderAndPortsFromTheConfiguration() throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(file, "stack: {data: here, ports: {kafka: 20001}}\n");

    assertThat(execute("status", "--json", "--config", file.toString())).isEqualTo(1);

    assertThat(out.toString())
        .contains("127.0.0.1:20001")
        .contains("127.0.0.1:" + Ports.defaults().cassandra())
        .contains(folder.resolve("here").toString());
  }

  @Test
  void shouldShowAFaultyValueWithoutAStackTrace() {
    assertThat(execute("up", "--task-managers", "0", "--data-dir", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains("task managers: 0 (expected: 1 to 20)")
        .doesNotContain("\tat ");
  }

  @Test
  void shouldHaveTheSameDefaultPortsAsTheConfiguration() {
    assertThat(StackOptions.ports(TollgateConfig.defaults().stack().ports()))
        .isEqualTo(Ports.defaults());
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Tollgate.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
