package io.tollgate.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Batch;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.reconcile.message.BatchFact;
import io.tollgate.reconcile.message.Evidence;
import io.tollgate.reconcile.message.Finding;
import io.tollgate.reconcile.message.Piece;
import io.tollgate.reconcile.progress.ProgressWatch;
import io.tollgate.reconcile.progress.Proof;
import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.Entry;
import io.tollgate.wire.Receipt.RatedSet;
import io.tollgate.wire.ReceiptCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class CompareBatchesTest {
  private static final long HOUR = 496_000;
  private static final long START = HOUR * 3_600_000;
  private static final LedgerLayout LAYOUT = LedgerLayout.always(new Placement(1, Set.of()));
  private static final CompareSettings SETTINGS =
      new CompareSettings(
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofHours(24),
          Duration.ofDays(80),
          Duration.ofDays(2));
  private static final SourceRules SOURCES =
      new SourceRules(Map.of(), new SourceRules.Rules("", Duration.ofHours(1), true, null, null));

  /** Offset that the rating job has committed; static, because operators travel as bytes. */
  private static long committed;

  private KeyedOneInputStreamOperatorTestHarness<String, BatchFact, Finding> harness;
  private long nowMillis = START;

  @BeforeEach
  void open() throws Exception {
    committed = 100;
    harness = harness();
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void balancesWhateverComesFirst() throws Exception {
    piece(2);
    receipt(receipt(0, 1));
    control(total(2, 2));
    announce();
    cycle();
    assertThat(batch().state()).isEqualTo(State.BALANCED);
    assertThat(batch().records()).isEqualTo(2);
    assertThat(batch().file()).isEqualTo("file.csv");
    assertThat(batch().outcomes()).isEqualTo(Map.of(Outcome.RATED, 2L));
    assertThat(batch().hours()).isEqualTo(Map.of(HOUR, 2L));
  }

  @Test
  void countsLateRecordsAmongTheRated() throws Exception {
    announce();
    receipt(receipt(0));
    receipt(entry(1, Outcome.RATED, null, true));
    piece(2);
    control(total(2, 2));
    cycle();
    assertThat(batch().state()).isEqualTo(State.BALANCED);
    assertThat(batch().outcomes()).isEqualTo(Map.of(Outcome.RATED, 2L));
  }

  @Test
  void takesNoticeOfARecordThatIsRatedInTheEnd() throws Exception {
    announce();
    control(total(1, 1));
    receipt(entry(0, Outcome.SUSPENDED, Reason.NO_PLAN, false));
    evidence(0, true);
    cycle();
    assertThat(batch().outcomes()).isEqualTo(Map.of(Outcome.SUSPENDED, 1L));
    assertThat(batch().state()).isEqualTo(State.BALANCED);
    receipt(receipt(0));
    piece(1);
    cycle();
    assertThat(batch().outcomes()).isEqualTo(Map.of(Outcome.RATED, 1L));
    assertThat(batch().state()).isEqualTo(State.BALANCED);
  }

  @Test
  void waitsForTheRatingJobHoweverLongItTakes() throws Exception {
    committed = 0;
    announce();
    control(total(2, 2));
    for (int i = 0; i < 100; i++) {
      cycle();
    }
    assertThat(found()).isEmpty();
    assertThat(batch().waitingFor()).isEqualTo("the rating job to read past the batch");
    committed = 100;
    cycle();
    cycle();
    assertThat(found().get(0).difference().kind()).isEqualTo(DifferenceKind.MISSING_OUTCOME);
  }

  @Test
  void countsTheBatchesThatAreOpenAndTheAgeOfTheOldest() throws Exception {
    CompareBatches operator = (CompareBatches) harness.getOperator();
    announce();
    long heardMillis = nowMillis;
    cycle();
    cycle();
    assertThat(operator.openBatches()).isEqualTo(1);
    assertThat(operator.oldestOpenBatchMillis()).isEqualTo(nowMillis - heardMillis);

    receipt(receipt(0, 1));
    piece(2);
    control(total(2, 2));
    cycle();
    assertThat(operator.openBatches()).isZero();
    assertThat(operator.oldestOpenBatchMillis()).isZero();
  }

  @Test
  void unitesTotalsThatAgreeAndNamesThoseThatDoNot() throws Exception {
    announce();
    receipt(receipt(0, 1));
    piece(2);
    control(total(2, 2));
    control(total(2, 2));
    cycle();
    assertThat(batch().state()).isEqualTo(State.BALANCED);
    control(total(3, 2));
    cycle();
    cycle();
    assertThat(found().get(0).difference().kind()).isEqualTo(DifferenceKind.CONTRADICTING_TOTALS);
  }

  @Test
  void missesATotalOnlyAfterItsDeadline() throws Exception {
    announce();
    for (int minute = 0; minute < 60; minute++) {
      cycle();
    }
    assertThat(found()).isEmpty();
    assertThat(batch().waitingFor()).isEqualTo("its control total");
    cycle();
    cycle();
    cycle();
    assertThat(found().get(0).difference().kind()).isEqualTo(DifferenceKind.OVERDUE_TOTAL);
    receipt(receipt(0));
    piece(1);
    control(total(1, 1));
    cycle();
    assertThat(found().get(found().size() - 1).status()).isEqualTo(Found.Status.GONE);
  }

  /** A source that counts before it sends does not know where its records will be. */
  @Test
  void waitsForTheRecordsOfATotalThatCameFirstUntilTheDeadline() throws Exception {
    announce();
    control(totalWithoutOffsets(2));
    for (int minute = 0; minute < 59; minute++) {
      cycle();
    }
    assertThat(found()).isEmpty();
    assertThat(batch().waitingFor()).isEqualTo("all its records, or to hear where they end");
    for (int minute = 0; minute < 4; minute++) {
      cycle();
    }
    assertThat(found().get(0).difference().kind()).isEqualTo(DifferenceKind.MISSING_OUTCOME);
  }

  @Test
  void balancesATotalThatCameFirstAsSoonAsEachRecordHasAnOutcome() throws Exception {
    announce();
    control(totalWithoutOffsets(2));
    cycle();
    receipt(receipt(0, 1));
    piece(2);
    cycle();
    assertThat(batch().state()).isEqualTo(State.BALANCED);
  }

  private static ControlTotal totalWithoutOffsets(long records) {
    return new ControlTotal(
        "pbx", "b1", "file.csv", records, 0, Map.of(UsageType.VOICE, 60 * records), Map.of());
  }

  @Test
  void isNotBoundByTheTotalOfAnUnknownSource() throws Exception {
    control(total(1_000_000, 0));
    for (int i = 0; i < 5; i++) {
      cycle();
    }
    assertThat(found()).isEmpty();
    assertThat(batch().waitingFor()).contains("neither declared nor");
  }

  @Test
  void judgesRecordsWithoutASourceByTheirRowsAlone() throws Exception {
    harness.processElement(
        new StreamRecord<>(
            new BatchFact(
                "",
                "partition-0-block-0",
                BatchFact.Kind.RECEIPT,
                new ReceiptCodec()
                    .encode(
                        new Receipt(
                            "",
                            "partition-0-block-0",
                            1,
                            List.of(new RatedSet(HOUR, 0, RoaringBitmap.bitmapOf(7), List.of())),
                            List.of())))));
    harness.processElement(
        new StreamRecord<>(
            new BatchFact(
                "",
                "partition-0-block-0",
                BatchFact.Kind.PIECE,
                new Piece(HOUR, 0, 1, 0, 0, Map.of(UsageType.VOICE, 60L)).encode())));
    cycle();
    assertThat(batch().state()).isEqualTo(State.BALANCED);
    assertThat(batch().records()).isEqualTo(-1);
  }

  @Test
  void goesOnAfterARestore() throws Exception {
    announce();
    control(total(2, 2));
    receipt(receipt(0));
    cycle();
    OperatorSubtaskState state = harness.snapshot(1, nowMillis);
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    receipt(receipt(1));
    piece(2);
    cycle();
    cycle();
    assertThat(batch().state()).isEqualTo(State.BALANCED);
  }

  private KeyedOneInputStreamOperatorTestHarness<String, BatchFact, Finding> harness()
      throws Exception {
    KeyedOneInputStreamOperatorTestHarness<String, BatchFact, Finding> created =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new CompareBatches(LAYOUT, SETTINGS, SOURCES, Progress::new, NothingAccepted::new),
            BatchFact::key,
            Types.STRING);
    created.setProcessingTime(nowMillis);
    return created;
  }

  private void cycle() throws Exception {
    nowMillis = SETTINGS.nextCycleMillis(nowMillis) + 2;
    harness.setProcessingTime(nowMillis);
  }

  private void announce() throws Exception {
    control(new BatchAnnounced("pbx", "b1", "file.csv", 0, 1));
  }

  private void control(ControlMessage message) throws Exception {
    fact(BatchFact.Kind.CONTROL, ControlMessage.encode(message));
  }

  private void receipt(Receipt receipt) throws Exception {
    fact(BatchFact.Kind.RECEIPT, new ReceiptCodec().encode(receipt));
  }

  private void piece(int explained) throws Exception {
    fact(
        BatchFact.Kind.PIECE,
        new Piece(HOUR, 0, explained, 0, 0, Map.of(UsageType.VOICE, 60L * explained)).encode());
  }

  private void evidence(long offset, boolean found) throws Exception {
    fact(BatchFact.Kind.EVIDENCE, new Evidence(0, offset, found, Map.of()).encode());
  }

  private void fact(BatchFact.Kind kind, byte[] payload) throws Exception {
    harness.processElement(new StreamRecord<>(new BatchFact("pbx", "b1", kind, payload)));
  }

  private static Receipt receipt(int... seqs) {
    return new Receipt(
        "pbx",
        "b1",
        1,
        List.of(new RatedSet(HOUR, 0, RoaringBitmap.bitmapOf(seqs), List.of())),
        List.of());
  }

  private static Receipt entry(long seq, Outcome outcome, @Nullable Reason reason, boolean late) {
    return new Receipt(
        "pbx",
        "b1",
        1,
        List.of(),
        List.of(
            new Entry(
                seq,
                0,
                seq,
                outcome,
                reason,
                late,
                "acme",
                "e" + seq,
                1,
                UsageType.VOICE,
                START,
                60)));
  }

  private static ControlTotal total(long records, long calls) {
    return new ControlTotal(
        "pbx", "b1", "file.csv", records, 0, Map.of(UsageType.VOICE, 60 * calls), Map.of(0, 99L));
  }

  private List<ReconcileResult> results() {
    return harness.extractOutputValues().stream().map(Finding::result).toList();
  }

  private Batch batch() {
    List<Batch> batches =
        results().stream().filter(Batch.class::isInstance).map(Batch.class::cast).toList();
    return batches.get(batches.size() - 1);
  }

  private List<Found> found() {
    return results().stream().filter(Found.class::isInstance).map(Found.class::cast).toList();
  }

  private static final class Progress implements ProgressWatch {
    @Override
    public Proof latest() {
      return new Proof(1, Map.of(0, committed), Map.of(0, 1_000L));
    }

    @Override
    public void close() {}
  }

  private static final class NothingAccepted implements WriteOffs {
    @Override
    public List<String> writtenOff(String idPrefix) {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
