package io.tollgate.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartyNumbersTest {
  @ParameterizedTest(name = "{0}: {1} becomes {2}")
  @CsvSource({
    "DE, +493023125001, +493023125001",
    "DE, +49 (0)30 23125-001, +493023125001",
    "DE, 00447700900123, +447700900123",
    "DE, 03023125001, +493023125001",
    "DE, 030 23125-001, +493023125001",
    "DE, 493023125001, +493023125001",
    "DE, 447700900123, +447700900123",
    "DE, 12025550123, +12025550123",
    "DE, sip:+33199000001@gw.example;user=phone, +33199000001",
    "DE, <sip:03023125001@pbx.example>, +493023125001",
    "DE, sips:alice@pbx.example, alice",
    "DE, tel:+49-30-23125-001;ext=7, +493023125001",
    "DE, Anonymous, ''",
    "DE, sip:anonymous@anonymous.invalid, ''",
    "DE, 1001, 1001",
    "DE, 112, 112",
    "DE, *98, *98",
    "DE, s, s",
    "DE, 3023125001, 3023125001",
    "DE, 0, 0",
    "DE, +, +",
    "DE, '', ''",
    "GB, 07700900123, +447700900123",
    "FR, 0199000001, +33199000001",
    "US, 2025550123, +12025550123",
    "US, 12025550123, +12025550123",
    "US, (202) 555-0123, +12025550123",
    "US, 011447700900123, +447700900123",
    "US, 447700900123, +447700900123",
    "US, 411, 411",
    ", +447700900123, +447700900123",
    ", 447700900123, +447700900123",
    ", 03023125001, 03023125001",
  })
  void shouldNormalizeByTheRuleOfTheCountry(String country, String written, String expected) {
    assertThat(new PartyNumbers(country).normalize(written)).isEqualTo(expected);
  }

  @Test
  void shouldGiveTheSameNumberAgainAfterManyOthers() {
    PartyNumbers numbers = new PartyNumbers("DE");
    for (int i = 0; i < 25_000; i++) {
      numbers.normalize(String.format("030%08d", i));
    }

    assertThat(numbers.normalize("03023125001")).isEqualTo("+493023125001");
  }
}
