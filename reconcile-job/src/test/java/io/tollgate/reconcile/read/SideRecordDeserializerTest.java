package io.tollgate.reconcile.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Evidence;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.SideRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SideRecordDeserializerTest {
  private static final byte[] CALL =
      new CdrCodec()
          .encode(
              new Cdr(
                  "e1",
                  "acme",
                  UsageType.VOICE,
                  "+491",
                  "+492",
                  1_790_000_000_000L,
                  0,
                  60_000,
                  "",
                  Map.of(),
                  "",
                  ""));

  private final SideRecordDeserializer deserializer = new SideRecordDeserializer();

  @BeforeEach
  void open() {
    deserializer.open(null);
  }

  @Test
  void provesThatARecordIsKeptAndTellsItsUsage() {
    BatchFact fact = read(Reason.INVALID, CALL).get(0);
    assertThat(fact.source()).isEqualTo("pbx");
    assertThat(fact.batch()).isEqualTo("b1");
    assertThat(Evidence.decode(fact.payload()))
        .isEqualTo(new Evidence(3, 77, true, Map.of(UsageType.VOICE, 60_000L)));
  }

  @Test
  void tellsNoUsageOfALineThatItsSourceCouldNotRead() {
    // It may well read as a CDR; its control total left it out.
    assertThat(evidence(read(Reason.BAD_LINE, CALL)).usage()).isEmpty();
  }

  @Test
  void tellsNoUsageOfWhatNobodyCanRead() {
    assertThat(evidence(read(Reason.UNREADABLE, new byte[] {1, 2, 3})).usage()).isEmpty();
    assertThat(evidence(read(Reason.UNREADABLE, null)).usage()).isEmpty();
  }

  @Test
  void passesOverWhatTheRatingJobDidNotWrite() {
    assertThat(read(new RecordHeaders(), CALL)).as("removed after it was sent again").isEmpty();
    RecordHeaders foreign = new RecordHeaders();
    foreign.add("traceparent", new byte[] {1});
    assertThat(read(foreign, CALL)).isEmpty();
  }

  private static Evidence evidence(List<BatchFact> facts) {
    assertThat(facts).hasSize(1);
    return Evidence.decode(facts.get(0).payload());
  }

  private List<BatchFact> read(Reason reason, byte @Nullable [] value) {
    RecordHeaders headers = new RecordHeaders();
    new SideRecord(
            reason, "why", "cdr", new Origin("pbx", "b1", 5, 3, 77, 1), null, value, Map.of())
        .headers()
        .forEach(headers::add);
    return read(headers, value);
  }

  private List<BatchFact> read(RecordHeaders headers, byte @Nullable [] value) {
    List<BatchFact> facts = new ArrayList<>();
    deserializer.deserialize(
        new ConsumerRecord<>(
            "cdr.rejected",
            0,
            0,
            1,
            TimestampType.CREATE_TIME,
            -1,
            -1,
            null,
            value,
            headers,
            Optional.empty()),
        new Collector<>() {
          @Override
          public void collect(BatchFact fact) {
            facts.add(fact);
          }

          @Override
          public void close() {}
        });
    return facts;
  }
}
