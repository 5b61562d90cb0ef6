package io.tollgate.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkConfigurationTest {
  @TempDir Path folder;

  @Test
  void shouldReadNestedAndFlatKeysAlike() throws IOException {
    FlinkConfiguration configuration =
        read("rest:\n  port: 8081\n  client:\n    x: a b\nrest.address: here\nempty:\n");

    assertThat(configuration.text("rest.port")).isEqualTo("8081");
    assertThat(configuration.text("rest.client.x")).isEqualTo("a b");
    assertThat(configuration.text("rest.address")).isEqualTo("here");
    assertThat(configuration.text("empty")).isEmpty();
  }

  @Test
  void shouldWriteOverridesInPlaceOfWhatWasThere() throws IOException {
    Path copy = folder.resolve("copy.yaml");

    read("rest:\n  port: 8081\nkept: true\n")
        .with(Map.of("rest.port", "21081"))
        .write(copy, "first\nsecond");

    FlinkConfiguration reread = FlinkConfiguration.read(copy);
    assertThat(reread.text("rest.port")).isEqualTo("21081");
    assertThat(reread.text("kept")).isEqualTo("true");
    assertThat(Files.readString(copy)).startsWith("# first\n# second\n");
  }

  private FlinkConfiguration read(String yaml) throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, yaml);
    return FlinkConfiguration.read(file);
  }
}
