package io.tollgate.domain.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.rating.Rating;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Prices what other rating systems assert about their own prices. Another file of the same form:
 * {@code mvn -pl domain test -Dtest=RatingOracleTest -Doracle.cases=FILE}.
 */
class RatingOracleTest {
  @Test
  void shouldPriceEveryCaseExactly() throws IOException {
    List<OracleCases.Case> cases = cases();
    List<String> differences = new ArrayList<>();
    for (OracleCases.Case oracleCase : cases) {
      Rating rating = oracleCase.book().rate(oracleCase.cdr());
      boolean isSame =
          rating instanceof Rating.Priced priced
              && priced.amount().compareTo(oracleCase.expected()) == 0;
      if (!isSame) {
        differences.add(difference(oracleCase, rating));
      }
    }
    assertThat(cases).isNotEmpty();
    assertThat(differences)
        .as(differences.size() + " of " + cases.size() + " cases differ")
        .isEmpty();
  }

  private static String difference(OracleCases.Case oracleCase, Rating rating) {
    String got =
        rating instanceof Rating.Priced priced ? priced.amount().toPlainString() : "no price";
    return oracleCase.id()
        + ": expected "
        + oracleCase.expected().toPlainString()
        + ", got "
        + got
        + ", explanation "
        + rating;
  }

  private static List<OracleCases.Case> cases() throws IOException {
    String file = System.getProperty("oracle.cases", "");
    if (!file.isEmpty()) {
      try (InputStream json = Files.newInputStream(Path.of(file))) {
        return OracleCases.read(json);
      }
    }
    try (InputStream json =
        RatingOracleTest.class.getResourceAsStream("/oracle/rating-cases.json")) {
      return OracleCases.read(json);
    }
  }
}
