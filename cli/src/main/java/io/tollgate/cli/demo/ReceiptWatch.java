package io.tollgate.cli.demo;

import io.tollgate.config.TollgateConfig;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.ReceiptCodec;
import io.tollgate.wire.ReceiptTally;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.util.List;
import java.util.Objects;

/** Reads the receipts given so far. */
public final class ReceiptWatch {
  private final TollgateConfig.Kafka kafka;

  /** Creates the watch. */
  public ReceiptWatch(TollgateConfig config) {
    this.kafka = config.kafka();
  }

  /** Reads all receipts and unites them. */
  public ReceiptTally read() {
    ReceiptTally tally = new ReceiptTally();
    ReceiptCodec codec = new ReceiptCodec();
    TopicScan.read(
        kafka.clientProperties(),
        kafka.topics().receipts(),
        record -> {
          try {
            tally.add(codec.decode(record.value()));
          } catch (UnreadableException e) {
            throw new IllegalStateException(
                "receipt at offset " + record.offset() + ": " + e.detail(), e);
          }
        });
    return tally;
  }

  /** Returns how many records of these batches have an outcome. */
  public static long outcomes(ReceiptTally tally, List<ControlTotal> totals) {
    return totals.stream()
        .map(total -> tally.batch(total.source(), total.batch()))
        .filter(Objects::nonNull)
        .mapToLong(ReceiptTally.OfBatch::outcomes)
        .sum();
  }
}
