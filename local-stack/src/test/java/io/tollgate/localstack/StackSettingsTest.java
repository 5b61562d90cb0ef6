package io.tollgate.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackSettingsTest {
  @TempDir Path folder;

  @Test
  void shouldBeReadBackByAnotherProgram() {
    StackSettings settings =
        StackSettings.defaults()
            .withDataDir(folder)
            .withPorts(Ports.fromBase(21_000))
            .withTaskManagers(3)
            .withSlotsPerTaskManager(4);

    settings.save();

    assertThat(StackSettings.lastUsed(folder)).contains(settings);
  }

  @Test
  void shouldBeAbsentWhereNoStackWasStarted() {
    assertThat(StackSettings.lastUsed(folder)).isEmpty();
  }

  @Test
  void shouldNameADamagedFile() throws IOException {
    Files.writeString(folder.resolve("stack.properties"), "ports.kafka=abc\n");

    assertThatThrownBy(() -> StackSettings.lastUsed(folder))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("stack.properties")
        .hasMessageContaining("expected: as ./tollgate up wrote it");
  }

  @Test
  void shouldNameEveryFaultAtOnce() {
    StackSettings defaults = StackSettings.defaults();

    assertThatThrownBy(
            () ->
                new StackSettings(
                    defaults.dataDir(), defaults.ports(), 0, 65, defaults.flinkConf()))
        .hasMessageContaining("task managers: 0 (expected: 1 to 20)")
        .hasMessageContaining("slots per task manager: 65 (expected: 1 to 64)");
  }
}
