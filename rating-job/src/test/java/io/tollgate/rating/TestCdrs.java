package io.tollgate.rating;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.rating.ingest.Arrival;
import io.tollgate.wire.tariff.TariffFeed;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** CDRs for tests, and a tariff of one cent per second; numbers with 00 have no price. */
public final class TestCdrs {
  public static final long NOON = Instant.parse("2026-11-02T12:00:00Z").toEpochMilli();
  public static final long DAY = 86_400_000L;

  private TestCdrs() {}

  public static Cdr call(String account, String event, long startMillis, long usageMillis) {
    return new Cdr(
        event,
        account,
        UsageType.VOICE,
        "+493023125001",
        "+447700900123",
        startMillis,
        3600,
        usageMillis,
        "ANSWERED",
        Map.of(),
        "",
        "");
  }

  public static Cdr unpriced(String account, String event, long startMillis) {
    return new Cdr(
        event, account, UsageType.VOICE, "1", "00", startMillis, 0, 1000, "", Map.of(), "", "");
  }

  public static Arrival arrival(Cdr cdr, int seq) {
    return Arrival.of(new Origin("pbx", "b", seq, 0, 1000 + seq, NOON + DAY), cdr);
  }

  /** Returns a feed of one book that never changes. */
  public static TariffFeed.Factory tariffs() {
    return () ->
        new TariffFeed() {
          @Override
          public Rater rater() {
            return TestCdrs::rate;
          }

          @Override
          public long version() {
            return 1;
          }

          @Override
          public void poll() {}

          @Override
          public void close() {}
        };
  }

  /** Returns a feed of a history that never changes. */
  public static TariffFeed.Factory tariffs(TariffHistory history) {
    Shared<TariffHistory> shared = Shared.of(history);
    return () -> new FixedFeed(shared.get());
  }

  private record FixedFeed(TariffHistory history) implements TariffFeed {
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
  }

  public static Rating rate(Cdr cdr) {
    if (cdr.called().startsWith("00")) {
      return new Rating.Unpriced(Reason.NO_DESTINATION, "00 has no price");
    }
    BigDecimal amount = BigDecimal.valueOf(cdr.usage() / 1000, 2);
    return new Rating.Priced("test", 1, "+44", "UK", cdr.usage(), List.of(), amount, amount, "EUR");
  }
}
