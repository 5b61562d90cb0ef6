package io.tollgate.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tariffs that come with Tollgate, and the ones that its README makes. */
class SampleTariffsTest {
  static final Path TARIFFS = Path.of("..", "tariffs");
  private static final Pattern FILE_IN_README =
      Pattern.compile("```(?:yaml|csv)\n# file: (\\S+)\n(.*?)```", Pattern.DOTALL);

  @Test
  void shouldHaveNoProblemInTheSample() {
    TariffCheck check = TariffDirectory.read(TARIFFS);
    assertThat(check.problems()).isEmpty();
    assertThat(check.goldenCases()).isGreaterThan(20);
    assertThat(check.book()).isPresent();
  }

  @Test
  void shouldHaveNoProblemWhenFollowingTheReadme(@TempDir Path directory) throws IOException {
    Matcher files = FILE_IN_README.matcher(Files.readString(TARIFFS.resolve("README.md")));
    int count = 0;
    while (files.find()) {
      Path file = directory.resolve(files.group(1));
      Files.createDirectories(file.getParent());
      Files.writeString(file, files.group(2));
      count++;
    }
    assertThat(count).isEqualTo(4);
    TariffCheck check = TariffDirectory.read(directory);
    assertThat(check.problems()).isEmpty();
    assertThat(check.goldenCases()).isEqualTo(3);
  }
}
