package io.tollgate.cli.bench;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.util.HashSet;
import java.util.Set;

/**
 * The yardstick: a Kafka consumer, the same decoder, a set in memory and the same rater, in one
 * thread. What any pipeline is measured against, since it does the least that must be done.
 */
public final class PlainLoop {
  private final TollgateConfig config;
  private final Rater rater;

  /** Creates the loop. */
  public PlainLoop(TollgateConfig config, Rater rater) {
    this.config = config;
    this.rater = rater;
  }

  /**
   * What came of it.
   *
   * @param records records read
   * @param rated distinct CDRs with a price
   * @param nanos how long it took
   */
  public record Outcome(long records, long rated, long nanos) {
    /** Returns records per second. */
    public double recordsPerSecond() {
      return records * 1e9 / nanos;
    }
  }

  /** Reads the topic {@code cdr} from beginning to end. */
  public Outcome run() {
    CdrCodec codec = new CdrCodec();
    Set<EventIdentity> seen = new HashSet<>();
    long[] counts = new long[2];
    long beganNanos = System.nanoTime();
    TopicScan.read(
        config.kafka().clientProperties(),
        config.kafka().topics().cdr(),
        record -> {
          counts[0]++;
          try {
            Cdr cdr = codec.decode(record.value());
            if (seen.add(EventIdentity.of(cdr.accountId(), cdr.eventId()))
                && rater.rate(cdr) instanceof Rating.Priced) {
              counts[1]++;
            }
          } catch (UnreadableException e) {
            // Read and not rated: the job would reject it.
            return;
          }
        });
    return new Outcome(counts[0], counts[1], System.nanoTime() - beganNanos);
  }
}
