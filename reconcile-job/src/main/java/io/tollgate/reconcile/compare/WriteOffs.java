package io.tollgate.reconcile.compare;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.wire.SeqText;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** What people have decided to accept. */
public interface WriteOffs extends AutoCloseable {
  /**
   * Returns the items of all written-off differences of one scope.
   *
   * @param idPrefix how the ids of the scope's differences begin
   */
  List<String> writtenOff(String idPrefix);

  @Override
  void close();

  /** Opens them; travels with the graph. */
  @FunctionalInterface
  interface Factory extends Serializable {
    /** Opens them. */
    WriteOffs open();
  }

  /**
   * Takes what was written off away from what disagrees.
   *
   * @return the batch-seqs that were taken away, by subject; for a batch as a whole, an empty set
   */
  default Map<Subject, RoaringBitmap> takeAway(
      Map<Subject, Disagreement> disagreements, long usageHour, int bucket) {
    Map<Subject, RoaringBitmap> taken = new HashMap<>();
    for (Map.Entry<Subject, Disagreement> each : List.copyOf(disagreements.entrySet())) {
      Subject subject = each.getKey();
      Disagreement now = each.getValue();
      List<String> items = writtenOff(idPrefix(subject, usageHour, bucket));
      if (items.isEmpty()) {
        continue;
      }
      if (!now.items().isEmpty()) {
        if (items.contains(now.items())) {
          disagreements.remove(subject);
          taken.put(subject, new RoaringBitmap());
        }
        continue;
      }
      RoaringBitmap accepted = new RoaringBitmap();
      items.forEach(text -> accepted.or(SeqText.parse(text)));
      accepted.and(now.seqs());
      RoaringBitmap left = RoaringBitmap.andNot(now.seqs(), accepted);
      if (accepted.isEmpty()) {
        continue;
      }
      taken.put(subject, accepted);
      if (left.isEmpty()) {
        disagreements.remove(subject);
      } else {
        disagreements.put(
            subject, Disagreement.about(left, now.expected(), now.found(), now.example()));
      }
    }
    return taken;
  }

  /** Returns whether a difference about a batch-seq was written off. */
  default boolean isWrittenOff(Subject subject, long usageHour, int bucket, int seq) {
    return writtenOff(idPrefix(subject, usageHour, bucket)).stream()
        .anyMatch(items -> SeqText.parse(items).contains(seq));
  }

  private static String idPrefix(Subject subject, long usageHour, int bucket) {
    return new Difference(
            subject.kind(), subject.source(), subject.batch(), usageHour, bucket, "", 0, "", "")
        .idPrefix();
  }
}
