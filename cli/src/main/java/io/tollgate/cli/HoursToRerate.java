package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.settlement.Rerates;
import java.util.Optional;

/**
 * Which hours wait for a rerate because of a correction.
 *
 * @param waiting the hours; empty if the database could not be asked, and then all may wait
 * @param failure why not; empty if it could
 */
record HoursToRerate(Optional<Rerates.Waiting> waiting, String failure) {
  /** There is no usage before. */
  private static final long FIRST_HOUR =
      Placement.usageHour(CdrRules.EARLIEST_START.toEpochMilli());

  /** Asks the database what was rerated. */
  static HoursToRerate of(TollgateConfig config, Correction correction) {
    try {
      return new HoursToRerate(
          Optional.of(
              PostgresOfConfig.with(
                  config,
                  connection ->
                      new Rerates(connection)
                          .waiting(
                              Math.max(FIRST_HOUR, correction.firstHour()),
                              correction.lastHour(),
                              correction.number()))),
          "");
    } catch (IllegalStateException e) {
      return new HoursToRerate(Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  boolean isWaiting() {
    return waiting.isEmpty() || waiting.get().hours() > 0;
  }

  /** Returns the hours in words. */
  String text(Correction correction) {
    if (waiting.isEmpty()) {
      return "charges of these hours wait for a rerate, unless there was one ("
          + failure
          + "): "
          + CorrectionText.hours(correction);
    }
    Rerates.Waiting hours = waiting.get();
    if (hours.hours() == 0) {
      return "its hours were rerated: " + CorrectionText.hours(correction);
    }
    String first = CorrectionText.hour(hours.firstHour());
    String last = CorrectionText.hour(hours.lastHour());
    return "charges of these hours wait for a rerate: "
        + (first.equals(last) ? first : first + " to " + last)
        + (hours.hours() == hours.lastHour() - hours.firstHour() + 1
            ? ""
            : ", of which " + hours.hours() + " wait");
  }
}
