package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextsTest {
  @Test
  void shouldLeaveOrdinaryTextAlone() {
    assertThat(Texts.key("pbx-1/\u00e4\ud83d\ude00")).isEqualTo("pbx-1/\u00e4\ud83d\ude00");
    assertThat(Texts.shown("a\nb")).isEqualTo("a\nb");
  }

  @Test
  void shouldKeepLongIdsApart() {
    String one = Texts.key("x".repeat(5_000) + "1");
    String other = Texts.key("x".repeat(5_000) + "2");

    assertThat(one).hasSize(Texts.LONGEST_KEY).isNotEqualTo(other);
    assertThat(Texts.key("x".repeat(5_000) + "1")).isEqualTo(one);
  }

  @Test
  void shouldNotCutACharacterInTwo() {
    String cut = Texts.shown("\ud83d\ude00".repeat(Texts.LONGEST_TEXT) + "x");

    assertThat(cut).endsWith("\ud83d\ude00...");
  }
}
