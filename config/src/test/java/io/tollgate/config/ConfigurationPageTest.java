package io.tollgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  @Test
  void pageSaysWhatTheKeysSay() throws IOException {
    if (Boolean.getBoolean("tollgate.docs.write")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, ConfigurationPage.render());
    }

    assertThat(Files.readString(PAGE)).isEqualTo(ConfigurationPage.render());
  }

  @Test
  void everyKeyHasAReasonAndFitsTheTable() {
    for (Key<?> key : Keys.ALL) {
      assertThat(key.reason()).as(key.path()).isNotBlank().doesNotContain("|");
      assertThat(key.type().rule()).as(key.path()).isNotBlank().doesNotContain("|");
    }
    assertThat(Keys.ALL.stream().map(Key::path)).doesNotHaveDuplicates();
  }
}
