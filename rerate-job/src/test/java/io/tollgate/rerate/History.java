package io.tollgate.rerate;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.rating.Revision;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.wire.tariff.TariffFeed;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Map;

/** A history of two corrections of prices, and the charges that it concerns. */
final class History {
  static final long HOUR = Placement.usageHour(millis("2024-06-15T12:00:00Z"));
  private static final long NOW = millis("2024-08-01T00:00:00Z");
  private static final Validity IN_JUNE =
      new Validity(millis("2024-06-01T00:00:00Z"), millis("2024-07-01T00:00:00Z"));

  private TariffHistory history = TariffHistory.EMPTY;

  private History() {}

  /** A minute to Germany costs 1, then 2 by correction 1, then 3 by correction 2, in June. */
  static History ofTwoCorrections() {
    History history = new History();
    history.history =
        history.history.with(Publication.after(history.history, book("1"), NOW).book());
    history.correct("2");
    history.correct("3");
    return history;
  }

  private void correct(String price) {
    history =
        history.with(
            Publication.after(history, book(price), NOW)
                .asCorrection(history, "a test")
                .correction()
                .orElseThrow());
  }

  /** Makes a charge count for nothing. */
  void voidCharge(Charge charge) {
    history =
        history.with(
            new VoidCharge(
                history.lastCorrection() + 1,
                "a test",
                new ChargeKey(
                    charge.cdr().accountId(), charge.cdr().eventId(), charge.usageHour())));
  }

  private static TariffBook book(String inJune) {
    return TariffBook.builder(0)
        .plan(
            "p",
            plan ->
                plan.rounding(RoundingMode.HALF_UP, 2)
                    .rate(
                        rate ->
                            rate.voice("+49", "Germany")
                                .perMinute("1")
                                .valid(new Validity(Long.MIN_VALUE, IN_JUNE.fromMillis())))
                    .rate(rate -> rate.voice("+49", "Germany").perMinute(inJune).valid(IN_JUNE))
                    .rate(rate -> rate.voice("+44", "Britain").perMinute("5")))
        .assignDefault("p")
        .build();
  }

  Rater rater() {
    return history;
  }

  /** Returns the charge, revision 0, of a call of so many minutes in {@link #HOUR}. */
  Charge charge(String account, String event, String called, int minutes) {
    Cdr cdr =
        new Cdr(
            event,
            account,
            UsageType.VOICE,
            "+4930123",
            called,
            HOUR * 3_600_000 + 60_000,
            0,
            minutes * 60_000L,
            "ANSWERED",
            Map.of(),
            "",
            "");
    return new Charge(
        cdr,
        ContentFingerprint.of(cdr),
        new Origin("pbx", "b", 0, 0, 0, cdr.startMillis()),
        false,
        (Rating.Priced) history.rate(cdr),
        0);
  }

  /** Returns the row that a correction gives a charge. */
  Charge revision(Charge charge, long number) {
    Revision revision =
        history.revisions(charge.cdr()).stream()
            .filter(each -> each.number() == number)
            .findFirst()
            .orElseThrow();
    return charge.withRevision(number, revision.total());
  }

  /** Returns a feed of this history. */
  TariffFeed feed() {
    return new TariffFeed() {
      @Override
      public Rater rater() {
        return history;
      }

      @Override
      public long version() {
        return history.version();
      }

      @Override
      public long correction() {
        return history.lastCorrection();
      }

      @Override
      public void poll() {}

      @Override
      public void close() {}
    };
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }
}
