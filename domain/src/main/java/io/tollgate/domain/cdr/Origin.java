package io.tollgate.domain.cdr;

import java.util.Objects;

/**
 * Where a record came from: its place in a batch of a source, and its place in the topic. Says
 * nothing about content, so a repeat of a record has another origin and the same fingerprint.
 *
 * @param source declared id of the source, from the header {@code source}; empty if the header is
 *     absent
 * @param batch id of the batch, from the header {@code batch}; empty if the header is absent
 * @param batchSeq number of the record in its batch, from 0; -1 if the header is absent or
 *     unreadable
 * @param partition Kafka partition
 * @param offset Kafka offset
 * @param appendMillis broker's append time, UTC milliseconds since 1970
 */
public record Origin(
    String source, String batch, long batchSeq, int partition, long offset, long appendMillis) {

  public Origin {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(batch, "batch");
  }
}
