package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.message.Evidence;
import io.tollgate.reconcile.message.Piece;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt.Entry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * Compares what a source said of a batch with what became of its records.
 *
 * <table>
 *   <caption>What is asked, and when</caption>
 *   <tr><th>question</th><th>asked</th><th>no</th></tr>
 *   <tr><td>do all control totals of the batch say the same?</td><td>at once</td>
 *       <td>CONTRADICTING_TOTALS</td></tr>
 *   <tr><td>has each of the records 0 to n - 1 an outcome?</td>
 *       <td>when the rating job is past the batch's last offsets; if no total names any, when each
 *       has one or the source's deadline is over</td><td>MISSING_OUTCOME</td></tr>
 *   <tr><td>and no other?</td><td>likewise</td><td>SURPLUS_OUTCOME</td></tr>
 *   <tr><td>is each record charged in one partition only?</td><td>at once</td>
 *       <td>DOUBLE_CHARGE</td></tr>
 *   <tr><td>has each duplicate a row with its identity and content?</td>
 *       <td>when it was looked up</td><td>DUPLICATE_WITHOUT_ROW</td></tr>
 *   <tr><td>lies every other unrated record on its side topic?</td>
 *       <td>when the rating job is past it</td><td>MISSING_EVIDENCE</td></tr>
 *   <tr><td>does the usage of all records add up to the control total?</td>
 *       <td>when everything above is answered and every row was read; not if records were
 *       written off or changed, whose usage nobody knows</td>
 *       <td>USAGE_MISMATCH</td></tr>
 * </table>
 */
final class BatchJudgement {
  private final String source;
  private final String batch;
  private final Map<Subject, Disagreement> disagreements = new HashMap<>();
  private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
  private final RoaringBitmap rated = new RoaringBitmap();
  private String waitingFor = "";
  private boolean waitsForProgress;
  private boolean isUsageKnown = true;

  private BatchJudgement(String source, String batch) {
    this.source = source;
    this.batch = batch;
  }

  /**
   * What is known of a batch.
   *
   * @param total its control total; absent if none came, or it has none
   * @param end where the batch ends in the topic, seen from the rating job
   * @param contradiction what a second total says otherwise; empty if none does
   * @param ratedByPartition batch-seqs called RATED, by partition of the ledger
   * @param pieces what readings found, by partition of the ledger
   * @param entries the newest entry of each record without a RATED receipt
   * @param evidence proofs by place in the topic
   * @param isPast whether the rating job is past a record
   * @param writeOffs takes what a person has accepted away from what disagrees
   */
  record Facts(
      @Nullable ControlTotal total,
      End end,
      String contradiction,
      Map<Long, RoaringBitmap> ratedByPartition,
      Map<Long, Piece> pieces,
      Iterable<Entry> entries,
      Proofs evidence,
      PastRecord isPast,
      Acceptance writeOffs) {}

  /** Where the last records of a batch are. */
  enum End {
    /** The rating job has not read so far. */
    AHEAD,
    /**
     * Nobody has said, as the total was made before the records were sent, or by a source that does
     * not know the topic; and there is still time to say.
     */
    UNKNOWN,
    /** The rating job is past them, or they would have come by now. */
    PASSED
  }

  /** Finds the proof that a record is kept where it should be. */
  @FunctionalInterface
  interface Proofs {
    /** Returns the proof of a place in the topic, if it has come. */
    @Nullable Evidence of(String place);
  }

  /** Takes away what a person has accepted. */
  @FunctionalInterface
  interface Acceptance {
    /** Returns the subjects of which something was taken away. */
    Set<Subject> takeAway(Map<Subject, Disagreement> disagreements);
  }

  /** Says whether the rating job is past a record. */
  @FunctionalInterface
  interface PastRecord {
    /** Returns whether it is. */
    boolean test(int partition, long offset);
  }

  /** Judges a batch by what is known of it. */
  static BatchJudgement of(String source, String batch, Facts facts) {
    BatchJudgement judgement = new BatchJudgement(source, batch);
    judgement.contradictions(facts);
    judgement.ratedOnce(facts);
    Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);
    judgement.pieces(facts, usage);
    RoaringBitmap unrated = judgement.unrated(facts, usage);
    judgement.completeness(facts, unrated);
    judgement.isUsageKnown &= facts.writeOffs().takeAway(judgement.disagreements).isEmpty();
    judgement.usage(facts, usage);
    facts.writeOffs().takeAway(judgement.disagreements);
    return judgement;
  }

  Map<Subject, Disagreement> disagreements() {
    return disagreements;
  }

  Map<Outcome, Long> outcomes() {
    return outcomes;
  }

  /** Returns what is still to come; empty if everything was judged. */
  String waitingFor() {
    return waitingFor;
  }

  /** Returns whether it waits for the rating job to go on: then nobody tells when to look again. */
  boolean waitsForProgress() {
    return waitsForProgress;
  }

  private void contradictions(Facts facts) {
    if (!facts.contradiction().isEmpty()) {
      ControlTotal total = facts.total();
      disagree(
          DifferenceKind.CONTRADICTING_TOTALS,
          Disagreement.aboutAll(
              facts.contradiction(),
              total == null ? "one control total" : records(total),
              facts.contradiction()));
    }
  }

  static String records(ControlTotal total) {
    return total.records() + " records, usage " + total.usage();
  }

  private void ratedOnce(Facts facts) {
    RoaringBitmap twice = new RoaringBitmap();
    for (RoaringBitmap each : facts.ratedByPartition().values()) {
      twice.or(RoaringBitmap.and(rated, each));
      rated.or(each);
    }
    if (!twice.isEmpty()) {
      disagree(
          DifferenceKind.DOUBLE_CHARGE,
          Disagreement.about(
              twice,
              "one row for a record",
              "receipts name rows in several partitions of the ledger",
              "batch-seq " + twice.first()));
    }
    count(Outcome.RATED, rated.getLongCardinality());
  }

  private void pieces(Facts facts, Map<UsageType, Long> usage) {
    for (Map.Entry<Long, RoaringBitmap> each : facts.ratedByPartition().entrySet()) {
      Piece piece = facts.pieces().get(each.getKey());
      if (piece == null || piece.explained() != each.getValue().getLongCardinality()) {
        waitFor("rows to be read back");
      } else {
        piece.usage().forEach((type, sum) -> usage.merge(type, sum, Long::sum));
        isUsageKnown &= piece.withoutUsage() == 0;
        count(Outcome.RATED, -piece.repeats());
        count(Outcome.DUPLICATE, piece.repeats());
      }
    }
  }

  private RoaringBitmap unrated(Facts facts, Map<UsageType, Long> usage) {
    RoaringBitmap unrated = new RoaringBitmap();
    RoaringBitmap withoutRow = new RoaringBitmap();
    RoaringBitmap withoutEvidence = new RoaringBitmap();
    String exampleOfRow = "";
    String exampleOfEvidence = "";
    for (Entry entry : facts.entries()) {
      boolean isNumbered = entry.batchSeq() >= 0;
      if (isNumbered && rated.contains((int) entry.batchSeq())) {
        continue;
      }
      // Records whose headers are unreadable have no number; they share the place of record 0.
      int seq = isNumbered ? (int) entry.batchSeq() : 0;
      if (isNumbered) {
        unrated.add(seq);
      }
      count(entry.outcome(), 1);
      Evidence evidence = facts.evidence().of(place(entry));
      boolean isDuplicate = entry.outcome() == Outcome.DUPLICATE;
      if (evidence == null && isDuplicate) {
        waitFor("rows of duplicates to be looked up");
      } else if (evidence == null && !facts.isPast().test(entry.partition(), entry.offset())) {
        waitForProgress("the rating job to commit what it has put aside");
      } else if (evidence == null || !evidence.found()) {
        (isDuplicate ? withoutRow : withoutEvidence).add(seq);
        if (isDuplicate) {
          exampleOfRow = example(entry);
        } else {
          exampleOfEvidence = example(entry);
        }
      } else {
        usageOf(entry, evidence).forEach((type, sum) -> usage.merge(type, sum, Long::sum));
      }
    }
    if (!withoutRow.isEmpty()) {
      disagree(
          DifferenceKind.DUPLICATE_WITHOUT_ROW,
          Disagreement.about(
              withoutRow,
              "a row with the identity and content of each duplicate",
              withoutRow.getLongCardinality() + " without",
              exampleOfRow));
    }
    if (!withoutEvidence.isEmpty()) {
      disagree(
          DifferenceKind.MISSING_EVIDENCE,
          Disagreement.about(
              withoutEvidence,
              "every suspended or rejected record on its topic",
              withoutEvidence.getLongCardinality() + " absent",
              exampleOfEvidence));
    }
    return unrated;
  }

  /** The job tells usage of what it could read; of the rest the record itself does, if it can. */
  private static Map<UsageType, Long> usageOf(Entry entry, Evidence evidence) {
    UsageType type = entry.usageType();
    return type == null ? evidence.usage() : Map.of(type, entry.usage());
  }

  static String place(Entry entry) {
    return place(entry.partition(), entry.offset());
  }

  static String place(int partition, long offset) {
    return partition + "@" + offset;
  }

  private static String example(Entry entry) {
    return (entry.eventId().isEmpty()
            ? ""
            : "account " + entry.accountId() + ", event " + entry.eventId() + ", ")
        + entry.outcome()
        + (entry.reason() == null ? "" : " (" + entry.reason() + ")")
        + ", batch-seq "
        + entry.batchSeq()
        + ", partition "
        + entry.partition()
        + " offset "
        + entry.offset();
  }

  private void completeness(Facts facts, RoaringBitmap unrated) {
    ControlTotal total = facts.total();
    if (total == null) {
      return;
    }
    RoaringBitmap all = RoaringBitmap.or(rated, unrated);
    if (facts.end() == End.AHEAD) {
      waitForProgress("the rating job to read past the batch");
      return;
    }
    if (facts.end() == End.UNKNOWN && all.getLongCardinality() < total.records()) {
      waitForProgress("all its records, or to hear where they end");
      return;
    }
    // Only numbers that a record can have: a total may claim any count.
    long numbered = Math.min(total.records(), Integer.MAX_VALUE + 1L);
    RoaringBitmap surplus = all.clone();
    surplus.remove(0L, numbered);
    RoaringBitmap missing = new RoaringBitmap();
    missing.add(0L, numbered);
    missing.andNot(all);
    if (!surplus.isEmpty()) {
      disagree(
          DifferenceKind.SURPLUS_OUTCOME,
          Disagreement.about(
              surplus,
              records(total),
              surplus.getLongCardinality() + " records beyond these",
              "batch-seq " + surplus.first()));
    }
    if (!missing.isEmpty()) {
      disagree(
          DifferenceKind.MISSING_OUTCOME,
          Disagreement.about(
              missing,
              records(total),
              missing.getLongCardinality() + " records without an outcome",
              "batch-seq " + missing.first() + " of file " + total.file()));
    }
  }

  private void usage(Facts facts, Map<UsageType, Long> usage) {
    ControlTotal total = facts.total();
    if (total == null || !isUsageKnown || !waitingFor.isEmpty() || !disagreements.isEmpty()) {
      return;
    }
    Map<UsageType, Long> expected = new EnumMap<>(UsageType.class);
    expected.putAll(total.usage());
    expected.values().removeIf(sum -> sum == 0);
    usage.values().removeIf(sum -> sum == 0);
    if (!expected.equals(usage)) {
      disagree(
          DifferenceKind.USAGE_MISMATCH,
          Disagreement.aboutAll(
              "control total " + expected + ", records " + usage,
              expected.toString(),
              usage.toString()));
    }
  }

  private void disagree(DifferenceKind kind, Disagreement disagreement) {
    disagreements.put(new Subject(kind, source, batch), disagreement);
  }

  private void count(Outcome outcome, long records) {
    if (records != 0) {
      outcomes.merge(outcome, records, Long::sum);
    }
  }

  private void waitForProgress(String what) {
    waitsForProgress = true;
    waitFor(what);
  }

  private void waitFor(String what) {
    if (waitingFor.isEmpty()) {
      waitingFor = what;
    }
  }
}
