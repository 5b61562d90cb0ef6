package io.tollgate.ingest;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.UnreadableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives each record the outcome that the job gives it, by the rules of the domain alone. */
public final class Judge implements Outbox {
  private static final long NOW_MILLIS = Instant.parse("2026-12-01T00:00:00Z").toEpochMilli();

  /** What the sample tariffs price for an account that is no carrier. */
  private static final Set<String> PRICED =
      Set.of("+49", "+44", "+1", "22833", "110", "112", "116117");

  private final CdrCodec codec = new CdrCodec();
  private final Map<EventIdentity, Long> rated = new HashMap<>();
  private final Map<Outcome, Long> byOutcome = new EnumMap<>(Outcome.class);
  private final Map<Reason, Long> byReason = new EnumMap<>(Reason.class);
  private final List<ControlTotal> totals = new ArrayList<>();

  /** Returns how many records had an outcome. */
  public long count(Outcome outcome) {
    return byOutcome.getOrDefault(outcome, 0L);
  }

  /** Returns how many records had a reason. */
  public long count(Reason reason) {
    return byReason.getOrDefault(reason, 0L);
  }

  /** Returns the control totals so far. */
  public List<ControlTotal> totals() {
    return totals;
  }

  @Override
  public void announce(BatchAnnounced batch) {}

  @Override
  public void send(OutgoingRecord outgoing) {
    Reason reason = reason(outgoing.body());
    byOutcome.merge(reason == null ? Outcome.RATED : reason.outcome(), 1L, Long::sum);
    if (reason != null) {
      byReason.merge(reason, 1L, Long::sum);
    }
  }

  @Override
  public Map<Integer, Long> awaitAcknowledged() {
    return Map.of();
  }

  @Override
  public void close(ControlTotal total) {
    totals.add(total);
  }

  @Override
  public void close() {}

  private @Nullable Reason reason(OutgoingRecord.Body body) {
    Cdr cdr;
    if (body instanceof OutgoingRecord.Bad) {
      return Reason.BAD_LINE;
    } else if (body instanceof OutgoingRecord.Good good) {
      cdr = good.cdr();
      if (good.indistinguishable()) {
        return Reason.INDISTINGUISHABLE;
      }
    } else {
      try {
        cdr = codec.decode(((OutgoingRecord.Raw) body).bytes());
      } catch (UnreadableException e) {
        return e.reason();
      }
    }
    if (!CdrRules.violations(cdr, NOW_MILLIS, 0).isEmpty()) {
      return Reason.INVALID;
    }
    EventIdentity identity = EventIdentity.of(cdr.accountId(), cdr.eventId());
    long content = ContentFingerprint.of(cdr);
    Long before = rated.get(identity);
    if (before != null) {
      return before == content ? Reason.SAME_CONTENT : Reason.OTHER_CONTENT;
    }
    if (!isPriced(cdr)) {
      return Reason.NO_DESTINATION;
    }
    rated.put(identity, content);
    return null;
  }

  private static boolean isPriced(Cdr cdr) {
    return cdr.usageType() != UsageType.VOICE
        || cdr.usage() == 0
        || cdr.accountId().startsWith("carrier-")
        || PRICED.stream().anyMatch(cdr.called()::startsWith);
  }
}
