package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.ChargeDigest;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.DifferenceKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * One pass over the rows of a partition, in the order of their keys. Each row is checked by itself
 * (its content against its fingerprint, its amount against the pure function), and the rows are
 * gathered into sets by batch, to be compared with what receipts say.
 *
 * <p>Holds sets, not rows: a row that no receipt named when the reading began is the exception,
 * because it was written while the newest receipts were still on their way.
 */
public final class PartitionReading {
  /** Most rows without a receipt that are remembered one by one. */
  static final int MAX_UNNAMED = 200_000;

  /** Most rows with a watched identity that are remembered one by one. */
  static final int MAX_WATCHED = 10_000;

  private final Map<String, PartitionBatch> atStart;
  private final long judgedFromMillis;
  private final Rater rater;
  private final IdentityPrefixes watched;
  private IdentityPrefixes.Builder identities = new IdentityPrefixes.Builder();
  private final List<WatchedRow> watchedRows = new ArrayList<>();
  private boolean watchedOverflowed;
  private final Map<String, RowsOfBatch> rows = new HashMap<>();
  private final Map<String, PartitionStatus.Sums> sums = new TreeMap<>();
  private final List<Unnamed> unnamed = new ArrayList<>();
  private final Map<Fault, FaultyRows> faults = new HashMap<>();
  private long unnamedInAll;
  private long count;
  private @Nullable Charge first;
  private @Nullable Charge newest;

  /** What a row was found to be wrong in. */
  private record Fault(DifferenceKind kind, String source, String batch) {}

  /** Rows that are wrong in the same way. */
  static final class FaultyRows {
    final RoaringBitmap seqs = new RoaringBitmap();
    String expected = "";
    String found = "";
    String example = "";
  }

  /** Rows of one batch. */
  static final class RowsOfBatch {
    final RoaringBitmap seqs = new RoaringBitmap();
    final Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);

    /** Batch-seqs of rows that a correction has voided. */
    final RoaringBitmap voided = new RoaringBitmap();

    /** Batch-seqs of rows whose revision counts. */
    final RoaringBitmap revised = new RoaringBitmap();

    /** What the rows are by themselves, once the reading has ended. */
    RowChecks checks = RowChecks.none();

    private RowChecks.Builder gathered = new RowChecks.Builder();

    /** Batch-seqs of rows that are not what they were. */
    final RoaringBitmap changed = new RoaringBitmap();

    /** Rows whose content was changed, so that nobody knows what they were charged for. */
    long withoutUsage;
  }

  /** A row whose identity may be charged in another hour too. */
  record WatchedRow(long prefix, Charge charge) {}

  /** A row that no receipt named when the reading began. */
  record Unnamed(
      String source,
      String batch,
      int seq,
      int partition,
      long offset,
      UsageType usageType,
      long usage,
      String key) {}

  /**
   * Begins a reading.
   *
   * @param atStart what receipts say before the first row is read, by key of the batch
   * @param judgedFromMillis append time from which on a row must have its receipt; receipts of
   *     older ones may be gone
   * @param rater the pure function, over a history that is at least as new as the rows
   * @param watched identities whose rows are to be remembered
   */
  PartitionReading(
      Map<String, PartitionBatch> atStart,
      long judgedFromMillis,
      Rater rater,
      IdentityPrefixes watched) {
    this.watched = watched;
    this.atStart = atStart;
    this.judgedFromMillis = judgedFromMillis;
    this.rater = rater;
  }

  /** Takes the next row, in order of account, event and revision. */
  public void add(Charge charge) {
    count++;
    Charge base = first;
    if (base != null && isRevisionOf(charge, base)) {
      newest = charge;
      return;
    }
    endEvent();
    first = charge;
    newest = charge;
  }

  /** Ends the reading. */
  public void end() {
    endEvent();
    first = null;
    newest = null;
    for (RowsOfBatch ofBatch : rows.values()) {
      ofBatch.checks = ofBatch.gathered.build();
      ofBatch.gathered = new RowChecks.Builder();
    }
  }

  private static boolean isRevisionOf(Charge charge, Charge base) {
    return charge.cdr().eventId().equals(base.cdr().eventId())
        && charge.cdr().accountId().equals(base.cdr().accountId());
  }

  private void endEvent() {
    Charge base = first;
    Charge owed = newest;
    if (base == null || owed == null) {
      return;
    }
    Origin origin = base.origin();
    EventIdentity identity = EventIdentity.of(base.cdr().accountId(), base.cdr().eventId());
    sums.computeIfAbsent(origin.source(), key -> new PartitionStatus.Sums())
        .add(identity, base, owed);
    boolean isUsageKnown = owed.revision() == 0 ? check(base) : checkRevision(base, owed);
    RowsOfBatch ofBatch =
        rows.computeIfAbsent(origin.source() + "\n" + origin.batch(), key -> new RowsOfBatch());
    int seq = (int) origin.batchSeq();
    boolean isVoid = isVoid(owed);
    if (isVoid) {
      ofBatch.voided.add(seq);
    } else {
      takeIdentity(identity.high(), base);
    }
    if (owed.revision() > 0) {
      ofBatch.revised.add(seq);
    } else {
      checkAgainstBefore(base, checkOf(identity, base), ofBatch);
    }
    if (!ofBatch.seqs.checkedAdd(seq)) {
      if (!ofBatch.voided.contains(seq)) {
        fault(DifferenceKind.DOUBLE_CHARGE, base, "one row for a record", "another: " + key(base));
      }
      return;
    }
    PartitionBatch known = atStart.get(origin.source() + "\n" + origin.batch());
    boolean isNamed = known != null && known.receipts().contains(seq);
    if (isNamed && isUsageKnown) {
      ofBatch.usage.merge(owed.cdr().usageType(), owed.cdr().usage(), Long::sum);
    } else if (isNamed) {
      ofBatch.withoutUsage++;
    } else if (origin.appendMillis() >= judgedFromMillis && !isVoid) {
      unnamed(base);
    }
  }

  /** Returns whether nothing is owed any more, because a person has said so. */
  static boolean isVoid(Charge newest) {
    return newest.revision() > 0 && newest.rating().amount().signum() == 0;
  }

  /** Returns the 16 bits that a row is known again by. */
  static short checkOf(EventIdentity identity, Charge charge) {
    return (short) ChargeDigest.of(identity, charge, charge.rating());
  }

  private void takeIdentity(long prefix, Charge charge) {
    identities.add(prefix);
    if (watched.isEmpty() || !watched.contains(prefix)) {
      return;
    }
    if (watchedRows.size() < MAX_WATCHED) {
      watchedRows.add(new WatchedRow(prefix, charge));
    } else {
      watchedOverflowed = true;
    }
  }

  private void checkAgainstBefore(Charge charge, short check, RowsOfBatch ofBatch) {
    Origin origin = charge.origin();
    int seq = (int) origin.batchSeq();
    ofBatch.gathered.add(seq, check);
    PartitionBatch known = atStart.get(origin.source() + "\n" + origin.batch());
    OptionalInt before = known == null ? OptionalInt.empty() : known.checks().find(seq);
    if (before.isPresent() && (short) before.getAsInt() != check) {
      ofBatch.changed.add(seq);
      fault(
          DifferenceKind.SETTLED_CHANGED,
          charge,
          "the row as it was when it was found right",
          "another, with fingerprint "
              + HexFormat.of().toHexDigits(charge.fingerprint())
              + " and "
              + amount(charge.rating())
              + ": "
              + key(charge));
    }
  }

  private void unnamed(Charge charge) {
    Origin origin = charge.origin();
    unnamedInAll++;
    if (unnamed.size() < MAX_UNNAMED) {
      unnamed.add(
          new Unnamed(
              origin.source(),
              origin.batch(),
              (int) origin.batchSeq(),
              origin.partition(),
              origin.offset(),
              charge.cdr().usageType(),
              charge.cdr().usage(),
              key(charge)));
    }
  }

  /**
   * Checks a row without a revision; one with a revision was looked at by a person or a correction,
   * and the revision counts.
   *
   * @return whether its content is what was charged, so that its usage can be added up
   */
  private boolean check(Charge charge) {
    if (ContentFingerprint.of(charge.cdr()) != charge.fingerprint()) {
      fault(
          DifferenceKind.CHANGED_CONTENT,
          charge,
          "content with the fingerprint that was charged",
          "other content: " + key(charge));
      return false;
    }
    Rating rating = rater.rate(charge.cdr());
    if (!(rating instanceof Rating.Priced priced)) {
      fault(
          DifferenceKind.CHANGED_AMOUNT,
          charge,
          "no price: " + ((Rating.Unpriced) rating).detail(),
          amount(charge.rating()) + ": " + key(charge));
    } else if (priced.amount().compareTo(charge.rating().amount()) != 0
        || !priced.currency().equals(charge.rating().currency())) {
      fault(
          DifferenceKind.CHANGED_AMOUNT,
          charge,
          amount(priced),
          amount(charge.rating()) + ": " + key(charge));
    }
    return true;
  }

  /**
   * Checks that the revision which counts is one of the correction history.
   *
   * @return whether its content is what was charged, so that its usage can be added up
   */
  private boolean checkRevision(Charge base, Charge owed) {
    boolean isFromHistory =
        rater.revisions(owed.cdr()).stream()
            .anyMatch(
                revision ->
                    revision.number() == owed.revision()
                        && revision.total().amount().compareTo(owed.rating().amount()) == 0
                        && revision.total().currency().equals(owed.rating().currency()));
    if (!isFromHistory) {
      fault(
          DifferenceKind.CHANGED_AMOUNT,
          base,
          "what the correction history says",
          "revision " + owed.revision() + ", " + amount(owed.rating()) + ": " + key(base));
    }
    return ContentFingerprint.of(owed.cdr()) == owed.fingerprint();
  }

  private void fault(DifferenceKind kind, Charge charge, String expected, String found) {
    Origin origin = charge.origin();
    FaultyRows faulty =
        faults.computeIfAbsent(
            new Fault(kind, origin.source(), origin.batch()), key -> new FaultyRows());
    faulty.seqs.add((int) origin.batchSeq());
    if (faulty.example.isEmpty()) {
      faulty.expected = expected;
      faulty.found = found;
      faulty.example = key(charge);
    }
  }

  /** Returns how a person finds a row again. */
  static String key(Charge charge) {
    Origin origin = charge.origin();
    return "account "
        + charge.cdr().accountId()
        + ", event "
        + charge.cdr().eventId()
        + ", batch-seq "
        + origin.batchSeq()
        + ", partition "
        + origin.partition()
        + " offset "
        + origin.offset();
  }

  private static String amount(Rating.Priced priced) {
    return priced.amount().toPlainString() + " " + priced.currency();
  }

  /** Returns how many rows were read. */
  public long count() {
    return count;
  }

  /** Returns what receipts said of a batch before the first row was read. */
  RoaringBitmap receiptsAtStart(String batchKey) {
    PartitionBatch batch = atStart.get(batchKey);
    return batch == null ? new RoaringBitmap() : batch.receipts();
  }

  Map<String, RowsOfBatch> rows() {
    return rows;
  }

  Map<String, PartitionStatus.Sums> sums() {
    return sums;
  }

  /** Returns the identities of all charges that are owed, and holds them no longer. */
  IdentityPrefixes takeIdentities() {
    IdentityPrefixes taken = identities.build();
    identities = new IdentityPrefixes.Builder();
    return taken;
  }

  /** Returns what was watched from the beginning. */
  IdentityPrefixes watched() {
    return watched;
  }

  List<WatchedRow> watchedRows() {
    return watchedRows;
  }

  /** Returns whether watched rows were so many that some were not remembered. */
  boolean watchedOverflowed() {
    return watchedOverflowed;
  }

  List<Unnamed> unnamed() {
    return unnamed;
  }

  /** Returns whether rows without a receipt were so many that some were not remembered. */
  boolean unnamedOverflowed() {
    return unnamedInAll > unnamed.size();
  }

  Map<Suspicions.Subject, FaultyRows> faults() {
    Map<Suspicions.Subject, FaultyRows> bySubject = new HashMap<>();
    leaveToOthers();
    faults.forEach(
        (fault, faulty) ->
            bySubject.put(
                new Suspicions.Subject(fault.kind(), fault.source(), fault.batch()), faulty));
    return bySubject;
  }

  /** A row that is wrong by itself is not told again because it was another one before. */
  private void leaveToOthers() {
    faults.forEach(
        (fault, faulty) -> {
          if (fault.kind() != DifferenceKind.SETTLED_CHANGED) {
            FaultyRows changed =
                faults.get(
                    new Fault(DifferenceKind.SETTLED_CHANGED, fault.source(), fault.batch()));
            if (changed != null) {
              changed.seqs.andNot(faulty.seqs);
            }
          }
        });
    faults.values().removeIf(faulty -> faulty.seqs.isEmpty());
  }
}
