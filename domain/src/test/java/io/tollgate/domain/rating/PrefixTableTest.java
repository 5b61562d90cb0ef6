package io.tollgate.domain.rating;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrefixTableTest {
  private static PrefixTable<String> table(String... prefixes) {
    Map<String, String> entries = new HashMap<>();
    for (String prefix : prefixes) {
      entries.put(prefix, prefix);
    }
    return PrefixTable.of(entries, String[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "+493012345, +4930",
    "+4930, +4930",
    "+493, +49",
    "+4, ''",
    "'', ''",
    "+49301, +4930",
    "+4412345678901234567890, +44123456789012345678",
    "+4412345678901234567999, ''",
    "+441234567890123456, ''",
    "internet.example, internet",
    "intern, ''",
    "*100#, *100#",
    "*100, ''",
    "+43:x, +43:x",
    "+43:y, +43",
  })
  void shouldFindTheLongestPrefix(String number, String prefix) {
    PrefixTable<String> table =
        table("", "+49", "+4930", "+44123456789012345678", "internet", "*100#", "+43", "+43:x");
    assertThat(table.longest(number)).isEqualTo(prefix);
  }

  @Test
  void shouldFindTheLongestThatIsShorter() {
    PrefixTable<String> table = table("+49", "+4930", "+49301");
    assertThat(table.longestProper("+49301")).isEqualTo("+4930");
    assertThat(table.longestProper("+4930")).isEqualTo("+49");
    assertThat(table.longestProper("+49")).isNull();
    assertThat(table.longestProper("")).isNull();
    assertThat(table().longest("+49")).isNull();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldFindWhatAskingForEachLengthFinds(long seed) {
    Random random = new Random(seed);
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < 3_000; i++) {
      String prefix = random(random, random.nextInt(23));
      entries.put(prefix, prefix);
    }
    PrefixTable<String> table = PrefixTable.of(entries, String[]::new);
    for (int i = 0; i < 20_000; i++) {
      String number = random(random, random.nextInt(25));
      String expected = null;
      for (int length = number.length(); length >= 0 && expected == null; length--) {
        expected = entries.get(number.substring(0, length));
      }
      assertThat(table.longest(number)).as(number).isEqualTo(expected);
    }
  }

  /** Few symbols, so that numbers share long beginnings. */
  private static String random(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("00011+*#x".charAt(random.nextInt(i < 4 ? 9 : 2)));
    }
    return text.toString();
  }
}
