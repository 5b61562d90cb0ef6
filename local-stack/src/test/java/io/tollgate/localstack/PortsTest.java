package io.tollgate.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {
  @ParameterizedTest
  @ValueSource(ints = {1_024, 21_000, Ports.BASE_MAX})
  void shouldKeepAllPortsApartWhateverTheBase(int base) {
    Ports ports = Ports.fromBase(base);

    assertThat(ports.named().values()).doesNotHaveDuplicates().allMatch(port -> port > base);
    assertThat(ports.named().values())
        .doesNotContain(
            ports.taskManagerMetrics(1), ports.taskManagerMetrics(Ports.TASK_MANAGERS_MAX));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1_023, Ports.BASE_MAX + 1})
  void shouldRefuseABaseWithoutRoom(int base) {
    assertThatThrownBy(() -> Ports.fromBase(base))
        .hasMessage("port base: " + base + " (expected: 1024 to 65000)");
  }

  @Test
  void shouldNameEveryFaultAtOnce() {
    assertThatThrownBy(() -> new Ports(0, 19_093, 19_042, 19_042, 15_432, 18_081, 19_250, 19_249))
        .hasMessageContaining("stack.ports.kafka: 0 (expected: 1 to 65535)")
        .hasMessageContaining(
            "stack.ports.cassandra_storage: 19042 (expected: not the port of cassandra)")
        .hasMessageContaining("stack.ports.flink_rpc: 19250 (expected: outside 19249 to 19269");
  }

  @Test
  void shouldFindPortsThatAreFreeAndOutsideOfTheRangeOfClients() {
    Ports ports = Ports.free();

    assertThat(ports.named().values())
        .doesNotHaveDuplicates()
        .allMatch(Ports::isFree)
        .allMatch(port -> port < 32_768);
  }

  @Test
  void shouldSeeThatAPortIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.isFree(taken.getLocalPort())).isFalse();
    }
  }

  @Test
  void shouldReadBackWhatItNames() {
    assertThat(Ports.ofNamed(Ports.defaults().named())).isEqualTo(Ports.defaults());
  }
}
