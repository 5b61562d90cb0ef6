package io.tollgate.wire.tariff;

import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.wire.HistoryWatch;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * Up to which correction charges are to be rated again.
 *
 * @param correction number of the entry
 * @param publishedMillis when it was published, by the publisher's clock
 */
public record RerateGoal(long correction, long publishedMillis) {

  /**
   * Chooses the goal.
   *
   * @param firstHour first usage hour to be rated again
   * @param lastHour last usage hour to be rated again
   * @param wanted the entry that was asked for; empty for the last one
   * @throws IllegalArgumentException if there is no such entry, or no entry up to it concerns these
   *     hours
   */
  public static RerateGoal of(
      TariffTopic.Contents contents, long firstHour, long lastHour, OptionalLong wanted) {
    long last = contents.history().lastCorrection();
    if (last == 0) {
      throw new IllegalArgumentException(
          "There is no correction, so every charge stands as it is. Publish one with './tollgate"
              + " tariff publish --correction'.");
    }
    long correction = wanted.orElse(last);
    if (correction < 1 || correction > last) {
      throw new IllegalArgumentException(
          "correction: " + correction + " (expected: 1 to " + last + ", the last one)");
    }
    List<Correction> concerned =
        contents.history().corrections().stream()
            .filter(entry -> entry.number() <= correction)
            .filter(entry -> entry.lastHour() >= firstHour && entry.firstHour() <= lastHour)
            .toList();
    if (concerned.isEmpty()) {
      throw new IllegalArgumentException(
          "hours: "
              + UsageHours.text(firstHour)
              + " to "
              + UsageHours.text(lastHour)
              + " (expected: hours that a correction up to "
              + correction
              + " concerns; see './tollgate tariff history')");
    }
    long publishedMillis =
        contents.entries().stream()
            .filter(
                entry -> entry.correction().filter(each -> each.number() == correction).isPresent())
            .mapToLong(TariffTopic.Entry::publishedMillis)
            .findFirst()
            .orElse(0);
    return new RerateGoal(correction, publishedMillis);
  }

  /**
   * Waits until every rating subtask has reported the goal.
   *
   * @param client properties of a Kafka client
   * @param receipts topic of receipts
   * @param progress told how far they are
   * @throws IllegalStateException if patience ends before
   */
  public void await(
      Properties client, String receipts, Duration patience, Consumer<String> progress) {
    progress.accept("Waiting until every rating subtask has reported correction " + correction);
    boolean isReported =
        new HistoryWatch(client, receipts)
            .await(
                correction,
                publishedMillis,
                patience,
                reached -> progress.accept("  every subtask has reported " + reached));
    if (!isReported) {
      throw new IllegalStateException(
          "The rating job has not reported correction "
              + correction
              + " within "
              + patience.toSeconds()
              + " s, so charges might be missed. See that it runs and takes checkpoints, and try"
              + " again.");
    }
  }
}
