package io.tollgate.pricing;

import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.util.stream.Collectors;

/** Says in words how an amount came about. */
public final class Explanation {
  private Explanation() {}

  /** Returns amount, plan, version, destination, steps and rounding in one line. */
  public static String oneLine(Rating.Priced priced) {
    String steps =
        priced.steps().stream().map(Explanation::step).collect(Collectors.joining(" + "));
    return priced.amount().toPlainString()
        + " "
        + priced.currency()
        + " ("
        + (steps.isEmpty() ? "nothing billed" : steps)
        + " = "
        + priced.unroundedAmount().toPlainString()
        + "; plan "
        + priced.plan()
        + ", "
        + (priced.prefix().isEmpty() ? "any prefix" : "prefix " + priced.prefix())
        + " "
        + priced.destination()
        + ")";
  }

  /** Returns a step as {@code peak 60000 x 0.09/60000 = 0.09}. */
  private static String step(Rating.Step step) {
    if (step.per() == 0) {
      return step.what() + " " + plain(step.amount());
    }
    return step.what()
        + " "
        + step.usage()
        + " x "
        + plain(step.rate())
        + "/"
        + step.per()
        + " = "
        + plain(step.amount());
  }

  private static String plain(BigDecimal amount) {
    return amount.toPlainString();
  }
}
