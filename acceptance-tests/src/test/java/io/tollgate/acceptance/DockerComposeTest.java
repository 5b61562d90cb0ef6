package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What Docker users get is what is built and tested here. */
class DockerComposeTest {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  @Test
  void takesTheVersionsOfTheParentPom() throws IOException {
    String compose = Files.readString(HOME.resolve("docker-compose.yml"));
    String pom = Files.readString(HOME.resolve("pom.xml"));
    assertThat(compose)
        .contains("image: flink:" + version(pom, "flink.version") + "-java17\n")
        .contains("image: apache/kafka:" + version(pom, "kafka.version") + "\n")
        .contains("image: cassandra:" + version(pom, "cassandra.version") + "\n")
        // The artifact with PostgreSQL's binaries counts its own builds in a third number.
        .contains(
            "image: postgres:"
                + version(pom, "postgresql.version").replaceFirst("\\.0$", "")
                + "\n");
  }

  @Test
  void takesFlinksSettingsFromTheOneFile() throws IOException {
    String compose = Files.readString(HOME.resolve("docker-compose.yml"));
    assertThat(compose).contains("./flink-conf/config.yaml:/tollgate/config.yaml:ro");
    assertThat(compose).doesNotContain("FLINK_PROPERTIES");
    // The folders that the file names are the ones that are kept.
    String flink = Files.readString(HOME.resolve("flink-conf/config.yaml"));
    assertThat(flink).contains("file:///opt/flink/state/checkpoints");
    assertThat(compose).contains("flink-state:/opt/flink/state\n");
  }

  @Test
  void listensOnTheAddressesOfTheDefaultConfiguration() throws IOException {
    String compose = Files.readString(HOME.resolve("docker-compose.yml"));
    String config = Files.readString(HOME.resolve("tollgate.yaml"));
    for (String port : new String[] {"19092", "19042", "19432", "19081"}) {
      assertThat(compose).contains("127.0.0.1:" + port + ":");
      assertThat(config).contains("127.0.0.1:" + port);
    }
  }

  private static String version(String pom, String property) {
    Matcher found = Pattern.compile("<" + Pattern.quote(property) + ">([^<]+)</").matcher(pom);
    assertThat(found.find()).as(property).isTrue();
    return found.group(1);
  }
}
