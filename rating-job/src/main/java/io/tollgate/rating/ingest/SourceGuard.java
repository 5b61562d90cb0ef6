package io.tollgate.rating.ingest;

import java.io.Serializable;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What the source does beside reading: keep a second job from the topic, and set the group's
 * committed offsets to the positions that this start reads from.
 */
public interface SourceGuard extends Serializable {

  /** The claim of one job on the topic, held by the enumerator. Calls may block. */
  interface Claim extends AutoCloseable {
    /**
     * Claims the topic for this job; waits until the claim of a dead job has run out.
     *
     * @throws AlreadyClaimedException if another job holds it and is alive
     */
    void acquire() throws AlreadyClaimedException, InterruptedException;

    /**
     * Renews the claim.
     *
     * @throws AlreadyClaimedException if another job took it meanwhile
     */
    void renew() throws AlreadyClaimedException, InterruptedException;

    /** Gives up the claim, so that the next job need not wait. */
    @Override
    void close();
  }

  /** Returns a claim that is not yet acquired. */
  Claim claim();

  /** Milliseconds between renewals. */
  long renewMillis();

  /** Sets the group's committed offsets; waits until that is done. */
  void commit(Map<TopicPartition, Long> positions) throws InterruptedException;

  /** Another job reads the same topic. */
  final class AlreadyClaimedException extends Exception {
    /** Creates the exception with a message for the operator. */
    public AlreadyClaimedException(String message) {
      super(message);
    }
  }
}
