package io.tollgate.rating.receipts;

import static io.tollgate.rating.TestCdrs.NOON;
import static io.tollgate.rating.TestCdrs.call;
import static io.tollgate.rating.TestResults.origin;
import static io.tollgate.rating.TestResults.rated;
import static io.tollgate.rating.TestResults.unrated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.rating.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeReceiptsTest {
  private OneInputStreamOperatorTestHarness<ReceiptPart, ReceiptPart> harness;

  @BeforeEach
  void open() throws Exception {
    harness = new OneInputStreamOperatorTestHarness<>(new MergeReceipts());
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void unitesTheReceiptsOfAllWritersIntoOneMessagePerBatch() throws Exception {
    for (int writer = 0; writer < 8; writer++) {
      for (String batch : List.of("b1", "b2")) {
        process(parts(rated(cdr(writer), origin(batch, writer))));
      }
    }
    assertThat(harness.extractOutputValues()).as("nothing before the barrier").isEmpty();
    harness.prepareSnapshotPreBarrier(1);
    assertThat(harness.extractOutputValues())
        .extracting(ReceiptPart::batchKey)
        .containsExactlyInAnyOrder("pbx|b1", "pbx|b2");
    assertThat(UnitedReceipts.of(harness.extractOutputValues()).outcomes("pbx", "b1")).hasSize(8);
  }

  @Test
  void holdsNothingAcrossABarrier() throws Exception {
    process(parts(rated(cdr(0), origin("b", 0))));
    harness.prepareSnapshotPreBarrier(1);
    harness.prepareSnapshotPreBarrier(2);
    harness.endInput();
    assertThat(harness.extractOutputValues()).hasSize(1);
  }

  @Test
  void givesWhatItHasAtTheEndOfInput() throws Exception {
    process(parts(rated(cdr(0), origin("b", 0))));
    harness.endInput();
    assertThat(harness.extractOutputValues()).hasSize(1);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void saysTheSameInAnyOrderWithAnyRepeats(long seed) throws Exception {
    Random random = new Random(seed);
    List<ReceiptPart> parts = new ArrayList<>();
    Map<Long, Outcome> expected = new TreeMap<>();
    for (long seq = 0; seq < 400; seq++) {
      Result result = result(seq, random.nextInt(5));
      parts.addAll(parts(result));
      expected.put(seq, result.reason() == null ? Outcome.RATED : result.reason().outcome());
    }
    for (int repeat = 0; repeat < 200; repeat++) {
      parts.add(parts.get(random.nextInt(400)));
    }
    // After a restart without state a rated record may be found again, as a repeat.
    for (long seq = 0; seq < 400; seq += 10) {
      parts.addAll(parts(unrated(cdr(seq), origin("b", seq), Reason.SAME_CONTENT)));
      parts.addAll(parts(rated(cdr(seq), origin("b", seq))));
      expected.put(seq, Outcome.RATED);
    }
    Collections.shuffle(parts, random);
    int barrier = 0;
    for (ReceiptPart part : parts) {
      process(List.of(part));
      if (random.nextInt(50) == 0) {
        harness.prepareSnapshotPreBarrier(barrier++);
      }
    }
    harness.endInput();
    List<ReceiptPart> merged = harness.extractOutputValues();
    assertThat(merged).hasSizeLessThan(parts.size() / 5);
    Map<Long, Outcome> united = UnitedReceipts.of(merged).outcomes("pbx", "b");
    assertThat(united).isEqualTo(expected);
    assertThat(united).isEqualTo(UnitedReceipts.of(parts).outcomes("pbx", "b"));
    assertThat(UnitedReceipts.of(merged).hours("pbx", "b"))
        .isEqualTo(UnitedReceipts.of(parts).hours("pbx", "b"));
  }

  @Test
  void stopsAtAReceiptThatItCannotRead() {
    // Only another version of this job could have written it: to go on would lose receipts.
    assertThatThrownBy(() -> process(List.of(new ReceiptPart("pbx|b", new byte[] {1, 2}))))
        .hasMessageContaining("receipt");
  }

  private static Result result(long seq, int kind) {
    return switch (kind) {
      case 0 -> unrated(cdr(seq), origin("b", seq), Reason.OTHER_CONTENT);
      case 1 -> rated(cdr(seq), origin("b", seq), true);
      case 2 -> unrated(cdr(seq), origin("b", seq), Reason.NO_PLAN);
      default -> rated(cdr(seq), origin("b", seq));
    };
  }

  private static Cdr cdr(long seq) {
    return call("acme", "e" + seq, NOON + seq * 60_000, 1000);
  }

  private static List<ReceiptPart> parts(Result result) {
    ReceiptCollector collector = new ReceiptCollector();
    collector.add(result, 0);
    List<ReceiptPart> parts = new ArrayList<>();
    collector.drain(parts::add);
    return parts;
  }

  private void process(List<ReceiptPart> parts) throws Exception {
    for (ReceiptPart part : parts) {
      harness.processElement(new StreamRecord<>(part));
    }
  }
}
