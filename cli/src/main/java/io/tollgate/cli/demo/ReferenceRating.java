package io.tollgate.cli.demo;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ingest.batch.OutgoingRecord.Bad;
import io.tollgate.ingest.batch.OutgoingRecord.Body;
import io.tollgate.ingest.batch.OutgoingRecord.Good;
import io.tollgate.ingest.batch.OutgoingRecord.Raw;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.UnreadableException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Rates records in memory, in the order in which they are sent: what the job and the ledger are
 * compared with. Shares the rater with the job, and nothing else: no Kafka, no keyed state, no
 * ledger.
 */
public final class ReferenceRating {
  private final Rater rater;
  private final long maxAheadMillis;
  private final CdrCodec codec = new CdrCodec();
  private final Map<String, Charged> charges = new LinkedHashMap<>();
  private final Map<Place, Outcome> outcomes = new HashMap<>();

  /**
   * Creates the reference.
   *
   * @param maxAheadMillis how far a start may lie after its append time
   */
  public ReferenceRating(Rater rater, long maxAheadMillis) {
    this.rater = rater;
    this.maxAheadMillis = maxAheadMillis;
  }

  /** Where a record stands in its batch. */
  public record Place(String source, String batch, long batchSeq) {}

  /** A distinct CDR and its price. */
  public record Charged(Cdr cdr, long fingerprint, Rating.Priced price) {}

  /**
   * Adds a record.
   *
   * @param appendMillis about when Kafka took it
   */
  public void add(String source, String batch, OutgoingRecord record, long appendMillis) {
    Place place = new Place(source, batch, record.batchSeq());
    Outcome outcome = outcome(record.body(), appendMillis);
    // RATED is the strongest outcome of a record that is sent again.
    outcomes.merge(place, outcome, (old, now) -> old == Outcome.RATED ? old : now);
  }

  /** Returns what must lie in the ledger, by {@code accountId:eventId}. */
  public Map<String, Charged> charges() {
    return Collections.unmodifiableMap(charges);
  }

  /** Returns the outcome that each record must have. */
  public Map<Place, Outcome> outcomes() {
    return Collections.unmodifiableMap(outcomes);
  }

  private Outcome outcome(Body body, long appendMillis) {
    if (body instanceof Good good) {
      return outcome(good.cdr(), good.indistinguishable(), appendMillis);
    }
    if (body instanceof Raw raw) {
      try {
        return outcome(codec.decode(raw.bytes()), false, appendMillis);
      } catch (UnreadableException e) {
        return Outcome.REJECTED;
      }
    }
    Objects.requireNonNull((Bad) body);
    return Outcome.REJECTED;
  }

  private Outcome outcome(Cdr cdr, boolean indistinguishable, long appendMillis) {
    if (!CdrRules.violations(cdr, appendMillis, maxAheadMillis).isEmpty()) {
      return Outcome.REJECTED;
    }
    if (indistinguishable) {
      return Outcome.SUSPENDED;
    }
    String identity = cdr.accountId() + ":" + cdr.eventId();
    long fingerprint = ContentFingerprint.of(cdr);
    Charged charged = charges.get(identity);
    if (charged != null) {
      return charged.fingerprint() == fingerprint ? Outcome.DUPLICATE : Outcome.CONFLICT;
    }
    if (rater.rate(cdr) instanceof Rating.Priced price) {
      charges.put(identity, new Charged(cdr, fingerprint, price));
      return Outcome.RATED;
    }
    return Outcome.SUSPENDED;
  }
}
