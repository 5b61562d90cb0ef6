package io.tollgate.pricing;

import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.pricing.Problem.Severity;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What reading a tariff directory gave.
 *
 * @param bookOrNull the book, version 0; null if there is an error
 * @param problems everything that is wrong or worth a look, by file and place
 * @param goldenCases how many golden cases were priced
 */
public record TariffCheck(
    @Nullable TariffBook bookOrNull, List<Problem> problems, int goldenCases) {
  /** Returns the book if there is no error. */
  public Optional<TariffBook> book() {
    return Optional.ofNullable(bookOrNull);
  }

  /** Returns the errors. */
  public List<Problem> errors() {
    return problems.stream().filter(p -> p.severity() == Severity.ERROR).toList();
  }

  /** Returns the warnings. */
  public List<Problem> warnings() {
    return problems.stream().filter(p -> p.severity() == Severity.WARNING).toList();
  }
}
