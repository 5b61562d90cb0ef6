package io.tollgate.reconcile.compare;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.reconcile.compare.PartitionReading.WatchedRow;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Judges rows whose identity was found in another hour as well, once both were looked up by key. Of
 * the two hours one tells, always the same one, so that the difference has one id:
 *
 * <table>
 *   <caption>A row whose identity is charged elsewhere</caption>
 *   <tr><th>the other charge</th><th>is</th></tr>
 *   <tr><td>there is none, or nothing is owed for it</td><td>right: watched no longer</td></tr>
 *   <tr><td>any, and another difference concerns one of the two</td><td>held: that one is told, and
 *       may end this</td></tr>
 *   <tr><td>lies in an earlier hour</td><td>REPEATED_IDENTITY</td></tr>
 *   <tr><td>lies in a later hour with another layout, which cannot see this one's state</td>
 *       <td>REPEATED_IDENTITY</td></tr>
 *   <tr><td>lies in a later hour, and is not written off there</td><td>held: told there</td></tr>
 *   <tr><td>lies in a later hour, and is written off there</td><td>right: watched no
 *       longer</td></tr>
 * </table>
 */
final class RepeatJudgement {
  private final Map<Subject, Disagreement> disagreements = new HashMap<>();
  private final Map<Subject, Map<Integer, Long>> prefixes = new HashMap<>();
  private IdentityPrefixes held = IdentityPrefixes.NONE;

  /** What is known of rows besides. */
  interface Knowledge {
    /** Returns whether the repeat that this row was told to be is written off. */
    boolean isWrittenOff(Charge row);

    /** Returns whether a difference of another kind concerns this row. */
    boolean isQuestioned(Charge row);
  }

  /** A row and the other charges of its identity, for which something is owed. */
  record Repeat(WatchedRow row, List<Charge> others) {}

  private RepeatJudgement() {}

  /** Judges rows of one partition. */
  static RepeatJudgement of(LedgerLayout layout, List<Repeat> repeats, Knowledge known) {
    RepeatJudgement judgement = new RepeatJudgement();
    IdentityPrefixes.Builder heldRows = new IdentityPrefixes.Builder();
    for (Repeat repeat : repeats) {
      Charge row = repeat.row().charge();
      for (Charge other : repeat.others()) {
        if (known.isQuestioned(row) || known.isQuestioned(other)) {
          heldRows.add(repeat.row().prefix());
          break;
        }
        boolean isToldThere =
            other.usageHour() > row.usageHour()
                && layout.at(other.usageHour()).equals(layout.at(row.usageHour()));
        if (!isToldThere) {
          judgement.tell(repeat.row(), other);
          break;
        }
        if (!known.isWrittenOff(other)) {
          heldRows.add(repeat.row().prefix());
          break;
        }
      }
    }
    judgement.held = heldRows.build();
    return judgement;
  }

  private void tell(WatchedRow watched, Charge other) {
    Charge row = watched.charge();
    Subject subject =
        new Subject(DifferenceKind.REPEATED_IDENTITY, row.origin().source(), row.origin().batch());
    int seq = (int) row.origin().batchSeq();
    prefixes.computeIfAbsent(subject, key -> new TreeMap<>()).put(seq, watched.prefix());
    Disagreement before = disagreements.get(subject);
    if (before != null) {
      before.seqs().add(seq);
      return;
    }
    String both =
        text(row)
            + " of hour "
            + UsageHours.text(row.usageHour())
            + ", and "
            + text(other)
            + " of hour "
            + UsageHours.text(other.usageHour());
    disagreements.put(
        subject,
        Disagreement.about(
            RoaringBitmap.bitmapOf(seq),
            "one charge for each identity within " + LedgerView.ZONE_REACH_HOURS + " hours",
            "two: " + both,
            both));
  }

  private static String text(Charge row) {
    return PartitionReading.key(row)
        + ", source "
        + row.origin().source()
        + ", batch "
        + row.origin().batch();
  }

  /** Returns what is to be told. */
  Map<Subject, Disagreement> disagreements() {
    return disagreements;
  }

  /**
   * Returns which identities must be looked at again: those that are held, and those told that
   * nobody has accepted.
   *
   * @param accepted batch-seqs that were written off, by subject
   */
  IdentityPrefixes left(Map<Subject, RoaringBitmap> accepted) {
    IdentityPrefixes.Builder left = new IdentityPrefixes.Builder();
    prefixes.forEach(
        (subject, bySeq) ->
            bySeq.forEach(
                (seq, prefix) -> {
                  RoaringBitmap writtenOff = accepted.get(subject);
                  if (writtenOff == null || !writtenOff.contains(seq)) {
                    left.add(prefix);
                  }
                }));
    return left.build().or(held);
  }

  /**
   * Returns the charges of an identity in other hours for which something is owed.
   *
   * @param around all rows of the identity, all revisions
   */
  static List<Charge> owedElsewhere(List<Charge> around, long usageHour) {
    Map<Long, Charge> charges = new TreeMap<>();
    Map<Long, Charge> newest = new HashMap<>();
    for (Charge each : around) {
      if (each.revision() == 0) {
        charges.put(each.usageHour(), each);
      }
      newest.merge(
          each.usageHour(), each, (one, two) -> one.revision() < two.revision() ? two : one);
    }
    charges.remove(usageHour);
    List<Charge> owed = new ArrayList<>();
    charges.forEach(
        (hour, charge) -> {
          if (!PartitionReading.isVoid(newest.getOrDefault(hour, charge))) {
            owed.add(charge);
          }
        });
    return owed;
  }
}
