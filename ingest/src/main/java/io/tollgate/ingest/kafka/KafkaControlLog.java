package io.tollgate.ingest.kafka;

import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.OutboxException;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.TopicScan;
import io.tollgate.wire.UnreadableException;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;

/** Reads {@code cdr.control} from its beginning to the end it has now. */
public final class KafkaControlLog {
  private final KafkaAddress address;

  /** Creates the reader. */
  public KafkaControlLog(KafkaAddress address) {
    this.address = address;
  }

  /**
   * Returns what {@code source} announced and closed so far. Messages that cannot be read are
   * passed over: they are another's to report, and cannot make two batches of one.
   *
   * @throws OutboxException if Kafka does not answer
   */
  public KnownBatches read(String source) {
    KnownBatches known = new KnownBatches();
    Properties client = new Properties();
    client.putAll(address.properties());
    client.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address.bootstrap());
    try {
      TopicScan.read(
          client, address.controlTopic(), message -> add(message.value(), source, known));
    } catch (KafkaException e) {
      throw new OutboxException(
          "kafka: cannot read "
              + address.controlTopic()
              + " at "
              + address.bootstrap()
              + ": "
              + e.getMessage(),
          e);
    }
    return known;
  }

  private static void add(byte[] message, String source, KnownBatches known) {
    try {
      ControlMessage control = ControlMessage.decode(message);
      if (control.source().equals(source)) {
        known.add(control);
      }
    } catch (UnreadableException e) {
      // See read: not ours to report.
      return;
    }
  }
}
