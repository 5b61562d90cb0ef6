package io.tollgate.ledger;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a charge into the bytes of its cell and back, in the order of {@link ChargeType#FIELDS}.
 * Account, event and revision are the key of the row and not in the cell. For one thread.
 */
final class ChargeCodec {
  private final CellWriter out = new CellWriter();

  /** Returns the cell of a charge. */
  ByteBuffer encode(Charge charge) {
    out.start();
    cdr(charge.cdr());
    out.bigint(charge.fingerprint());
    origin(charge.origin());
    out.bool(charge.late());
    rating(charge.rating());
    return out.finish();
  }

  /**
   * Returns the charge of a row.
   *
   * @throws LedgerException if the cell was not written by this class
   */
  static Charge decode(String accountId, String eventId, long revision, ByteBuffer cell) {
    CellReader in = new CellReader(cell);
    Cdr cdr = cdr(accountId, eventId, in);
    long fingerprint = in.bigint("fingerprint");
    Origin origin = origin(in);
    boolean late = in.bool("late");
    return new Charge(cdr, fingerprint, origin, late, rating(in), revision);
  }

  private void cdr(Cdr cdr) {
    out.bigint(cdr.startMillis());
    out.int32(cdr.utcOffsetSeconds());
    out.text(cdr.usageType().name());
    out.text(cdr.calling());
    out.text(cdr.called());
    out.text(cdr.callingOriginal());
    out.text(cdr.calledOriginal());
    out.bigint(cdr.usage());
    out.text(cdr.cause());
    int attributes = out.begin();
    out.count(cdr.attributes().size());
    cdr.attributes()
        .forEach(
            (name, value) -> {
              out.text(name);
              out.text(value);
            });
    out.end(attributes);
  }

  private static Cdr cdr(String accountId, String eventId, CellReader in) {
    long startMillis = in.bigint("start");
    int utcOffsetSeconds = in.int32("utc_offset_seconds");
    UsageType usageType = usageType(in.text("usage_type"));
    String calling = in.text("calling");
    String called = in.text("called");
    String callingOriginal = in.text("calling_original");
    String calledOriginal = in.text("called_original");
    long usage = in.bigint("usage");
    String cause = in.text("cause");
    return new Cdr(
        eventId,
        accountId,
        usageType,
        calling,
        called,
        startMillis,
        utcOffsetSeconds,
        usage,
        cause,
        attributes(in),
        callingOriginal,
        calledOriginal);
  }

  private static UsageType usageType(String name) {
    for (UsageType type : UsageType.values()) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    throw new LedgerException(
        "charge.usage_type: '" + name + "' (expected: a type that this version knows)");
  }

  private static Map<String, String> attributes(CellReader in) {
    int count = in.count("attributes");
    if (count == 0) {
      return Map.of();
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      attributes.put(in.text("attributes"), in.text("attributes"));
    }
    return Collections.unmodifiableMap(attributes);
  }

  private void origin(Origin origin) {
    out.text(origin.source());
    out.text(origin.batch());
    out.bigint(origin.batchSeq());
    out.int32(origin.partition());
    out.bigint(origin.offset());
    out.bigint(origin.appendMillis());
  }

  private static Origin origin(CellReader in) {
    return new Origin(
        in.text("source"),
        in.text("batch_id"),
        in.bigint("batch_seq"),
        in.int32("kafka_partition"),
        in.bigint("kafka_offset"),
        in.bigint("append_time"));
  }

  private void rating(Rating.Priced rating) {
    out.text(rating.plan());
    out.bigint(rating.tariffVersion());
    out.text(rating.prefix());
    out.text(rating.destination());
    out.bigint(rating.chargedUsage());
    steps(rating.steps());
    out.decimal(rating.unroundedAmount());
    out.decimal(rating.amount());
    out.text(rating.currency());
  }

  private static Rating.Priced rating(CellReader in) {
    String plan = in.text("plan");
    long tariffVersion = in.bigint("tariff_version");
    String prefix = in.text("prefix");
    String destination = in.text("destination");
    long chargedUsage = in.bigint("charged_usage");
    List<Rating.Step> steps = steps(in);
    BigDecimal unroundedAmount = in.decimal("unrounded_amount");
    BigDecimal amount = in.decimal("amount");
    return new Rating.Priced(
        plan,
        tariffVersion,
        prefix,
        destination,
        chargedUsage,
        steps,
        unroundedAmount,
        amount,
        in.text("currency"));
  }

  private void steps(List<Rating.Step> steps) {
    int all = out.begin();
    out.count(steps.size());
    for (Rating.Step step : steps) {
      int one = out.begin();
      out.text(step.what());
      out.bigint(step.usage());
      out.decimal(step.rate());
      out.bigint(step.per());
      out.decimal(step.amount());
      out.end(one);
    }
    out.end(all);
  }

  private static List<Rating.Step> steps(CellReader in) {
    int count = in.count("steps");
    List<Rating.Step> steps = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      in.enter("steps");
      String what = in.text("steps.what");
      long usage = in.bigint("steps.usage");
      BigDecimal rate = in.decimal("steps.rate");
      long per = in.bigint("steps.per");
      steps.add(new Rating.Step(what, usage, rate, per, in.decimal("steps.amount")));
    }
    return List.copyOf(steps);
  }
}
