package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.localstack.ServerStatus;
import io.tollgate.localstack.StackStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
  private static final StackStatus HALF =
      new StackStatus(
          List.of(
              new ServerStatus(
                  "kafka",
                  ServerStatus.State.RUNNING,
                  Optional.of(42L),
                  "127.0.0.1:19092",
                  Optional.of(300L * 1024 * 1024),
                  Path.of("/data/kafka/kafka.log")),
              new ServerStatus(
                  "cassandra",
                  ServerStatus.State.STOPPED,
                  Optional.empty(),
                  "127.0.0.1:19042",
                  Optional.empty(),
                  Path.of("/data/cassandra/cassandra.log"))));

  @Test
  void shouldShowEachServerInATable() {
    StringWriter text = new StringWriter();

    StatusCommand.printTable(HALF, Path.of("/data"), new PrintWriter(text, true));

    assertThat(text.toString().lines())
        .contains(
            "server         state         pid    memory  address",
            "kafka          running        42   300 MiB  127.0.0.1:19092",
            "cassandra      stopped         -         -  127.0.0.1:19042",
            "memory in all: 300 MiB",
            "data and logs: /data");
  }

  @Test
  void shouldLeaveOutWhatAStoppedServerDoesNotHave() {
    assertThat(StatusCommand.toJson(HALF, Path.of("/data")))
        .hasToString(
            "{\"allRunning\":false,\"dataDir\":\"/data\",\"residentBytes\":314572800,\"servers\":["
                + "{\"name\":\"kafka\",\"state\":\"running\",\"pid\":42,"
                + "\"address\":\"127.0.0.1:19092\",\"residentBytes\":314572800,"
                + "\"log\":\"/data/kafka/kafka.log\"},"
                + "{\"name\":\"cassandra\",\"state\":\"stopped\",\"address\":\"127.0.0.1:19042\","
                + "\"log\":\"/data/cassandra/cassandra.log\"}]}");
  }
}
