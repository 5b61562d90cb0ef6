package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A record that just fits on {@code cdr} grows by its headers when it is put aside. */
class LargeRecordITCase {
  /**
   * With its own headers just below Kafka's limit of 1 MiB, above it with those of a side topic.
   */
  private static final int VALUE_BYTES = 1_048_250;

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  @Test
  void rejectsTheLargestRecordThatTheTopicTakes() throws Exception {
    installation = new Installation(STACK.stack(), STACK.folder(), "large");
    String job = installation.submit(List.of(), "--fresh");
    installation.awaitState(job, "RUNNING");
    byte[] noise = new byte[VALUE_BYTES];
    // Random bytes, so that no compression makes them smaller.
    new Random(1).nextBytes(noise);
    List<ControlTotal> totals;
    try (WatchedOutbox outbox = installation.outbox()) {
      outbox.announce(new BatchAnnounced("s", "b", "noise", 0, VALUE_BYTES));
      outbox.send(new OutgoingRecord(0, "", new OutgoingRecord.Raw(noise, null)));
      Map<Integer, Long> offsets = outbox.awaitAcknowledged();
      outbox.close(new ControlTotal("s", "b", "noise", 1, 1, Map.of(), offsets));
      totals = outbox.totals();
    }
    assertThat(
            installation
                .verdict(totals, installation.awaitOutcomes(totals, Duration.ofSeconds(90)))
                .differences())
        .isEmpty();
    installation.awaitCheckpoints(job, 1);
    assertThat(installation.jobs().state(job)).isEqualTo("RUNNING");
    assertThat(installation.jobs().failure(job)).doesNotContain("RecordTooLarge");
  }
}
