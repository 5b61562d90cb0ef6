package io.tollgate.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tollgate.cli.explain.BatchClues.FileClue;
import io.tollgate.cli.explain.BatchClues.InFile;
import io.tollgate.cli.explain.BatchClues.Look;
import io.tollgate.cli.explain.RecordClues.Copy;
import io.tollgate.cli.explain.RecordClues.Kept;
import io.tollgate.cli.explain.RecordClues.Named;
import io.tollgate.cli.explain.RecordClues.RowClue;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.DifferenceKind;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

/** The table of {@link LikelyReason}. */
class LikelyReasonTest {
  private static final BatchKey KEY = new BatchKey("pbx", "b");
  private static final long SEQ = 7;
  private static final RecordClues NOTHING = record();

  static Stream<Arguments> reasons() {
    return Stream.of(
        of(DifferenceKind.MISSING_OUTCOME, receipt(Outcome.RATED), whole(), "a receipt names it"),
        of(DifferenceKind.MISSING_OUTCOME, copy(false), whole(), "has not committed past it"),
        of(DifferenceKind.MISSING_OUTCOME, copy(true), whole(), "the rating job lost it"),
        of(
            DifferenceKind.MISSING_OUTCOME,
            copy(true),
            read(Look.WHOLE, Look.PART),
            "cannot be told"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, read(Look.PART, Look.WHOLE), "cannot be told"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, read(Look.NONE, Look.NONE), "cannot be told"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, file(InFile.FOUND, 7), "total is too high"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, file(InFile.FOUND, 8), "stands in the file"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, file(InFile.CHANGED, -1), "cut or edited"),
        of(
            DifferenceKind.MISSING_OUTCOME,
            NOTHING,
            read(Look.SHORTENED, Look.WHOLE),
            "not in what the topic still keeps"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, highest(6), "the topic ends with batch-seq 6"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, highest(-1), "nothing of the batch is in the"),
        of(DifferenceKind.MISSING_OUTCOME, NOTHING, highest(9), "it never reached the topic"),
        of(DifferenceKind.SURPLUS_OUTCOME, copy(true), whole(), "the total is too low"),
        of(DifferenceKind.SURPLUS_OUTCOME, NOTHING, whole(), "a record that is not in the topic"),
        of(DifferenceKind.SURPLUS_OUTCOME, NOTHING, read(Look.PART, Look.WHOLE), "cannot be told"),
        of(DifferenceKind.MISSING_ROW, row(true, null, 60_000), whole(), "its row is there by now"),
        of(DifferenceKind.MISSING_ROW, rowOfAnother(), whole(), "the row of another record"),
        of(DifferenceKind.MISSING_ROW, copy(true), whole(), "its row was removed or never"),
        of(DifferenceKind.MISSING_ROW, NOTHING, whole(), "the topic no longer has the record"),
        of(DifferenceKind.MISSING_ROW, NOTHING, read(Look.NONE, Look.NONE), "cannot be told"),
        of(DifferenceKind.SURPLUS_ROW, NOTHING, whole(), "no such row was found"),
        of(DifferenceKind.SURPLUS_ROW, ratedRow(), whole(), "a receipt names it by now"),
        of(
            DifferenceKind.SURPLUS_ROW,
            row(true, null, 60_000),
            whole(),
            "nothing at the place that the row names"),
        of(
            DifferenceKind.SURPLUS_ROW,
            row(true, copyOf(new BatchKey("pbx", "other"), SEQ), 60_000),
            whole(),
            "another record at the place"),
        of(
            DifferenceKind.SURPLUS_ROW,
            row(true, copyOf(KEY, SEQ), 60_000),
            whole(),
            "its receipt is lost"),
        of(DifferenceKind.SURPLUS_ROW, row(false, null, 60_000), whole(), "cannot be told"),
        of(
            DifferenceKind.SURPLUS_ROW,
            row(true, null, 60_000),
            read(Look.WHOLE, Look.PART),
            "cannot be told"),
        of(DifferenceKind.CHANGED_AMOUNT, rowAndCopy(60_000), whole(), "changed the amount"),
        of(
            DifferenceKind.CHANGED_CONTENT,
            rowAndCopy(61_000),
            whole(),
            "usage in the topic 60000, in the row 61000"),
        of(DifferenceKind.CHANGED_AMOUNT, NOTHING, whole(), "was not found"),
        of(DifferenceKind.DUPLICATE_WITHOUT_ROW, rowOfAnother(), whole(), "identity is there"),
        of(
            DifferenceKind.DUPLICATE_WITHOUT_ROW,
            copy(true),
            whole(),
            "that it repeats was removed"),
        of(
            DifferenceKind.DUPLICATE_WITHOUT_ROW,
            NOTHING,
            read(Look.NONE, Look.NONE),
            "cannot be told"),
        of(DifferenceKind.MISSING_EVIDENCE, kept(), whole(), "on its side topic by now"),
        of(DifferenceKind.MISSING_EVIDENCE, copy(true), whole(), "somebody deleted it"),
        of(DifferenceKind.MISSING_EVIDENCE, NOTHING, read(Look.NONE, Look.NONE), "cannot be told"),
        of(DifferenceKind.DOUBLE_CHARGE, NOTHING, whole(), "two partitions of the ledger"));
  }

  private static Arguments of(
      DifferenceKind kind, RecordClues record, BatchClues batch, String cause) {
    return arguments(kind, record, batch, cause);
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void shouldSayWhatTheEvidenceSays(
      DifferenceKind kind, RecordClues record, BatchClues batch, String cause) {
    assertThat(LikelyReason.of(kind, record, batch).cause()).contains(cause);
  }

  @ParameterizedTest
  @EnumSource(DifferenceKind.class)
  void shouldHaveAWordAboutEachKind(DifferenceKind kind) {
    assertThat(LikelyReason.of(kind).next()).isNotBlank();
    assertThat(LikelyReason.of(kind, NOTHING, whole()).cause()).isNotBlank();
  }

  @Test
  void shouldTellARecordWithTwoRowsFromTwoReceipts() {
    Charge one = charge("a", 60_000);
    Charge other = charge("b", 60_000);
    RecordClues both =
        new RecordClues(
            SEQ,
            List.of(),
            List.of(),
            List.of(new RowClue(one, 0, true, true, null), new RowClue(other, 0, true, true, null)),
            List.of(),
            null);

    assertThat(LikelyReason.of(DifferenceKind.DOUBLE_CHARGE, both, whole()).cause())
        .contains("two identities");
  }

  private static RecordClues record() {
    return new RecordClues(SEQ, List.of(), List.of(), List.of(), List.of(), null);
  }

  private static RecordClues copy(boolean isCommitted) {
    return new RecordClues(
        SEQ,
        List.of(new Copy(KEY, SEQ, 2, 1234, "pbx.csv:9", "", cdr("acme", 60_000), isCommitted)),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static Copy copyOf(BatchKey key, long seq) {
    return new Copy(key, seq, 2, 1234, "pbx.csv:9", "", cdr("acme", 60_000), true);
  }

  private static RecordClues receipt(Outcome outcome) {
    return new RecordClues(
        SEQ,
        List.of(),
        List.of(new Named(outcome, "", -1, -1, 495_000, 3, null)),
        List.of(),
        List.of(),
        null);
  }

  private static RecordClues row(boolean isPlaceKnown, @Nullable Copy there, long usage) {
    return new RecordClues(
        SEQ,
        List.of(),
        List.of(),
        List.of(new RowClue(charge("acme", usage), 3, true, isPlaceKnown, there)),
        List.of(),
        null);
  }

  private static RecordClues ratedRow() {
    return new RecordClues(
        SEQ,
        List.of(),
        List.of(new Named(Outcome.RATED, "", -1, -1, 495_000, 3, null)),
        List.of(new RowClue(charge("acme", 60_000), 3, true, true, null)),
        List.of(),
        null);
  }

  private static RecordClues rowAndCopy(long usageOfRow) {
    return new RecordClues(
        SEQ,
        List.of(copyOf(KEY, SEQ)),
        List.of(),
        List.of(new RowClue(charge("acme", usageOfRow), 3, true, true, null)),
        List.of(),
        null);
  }

  private static RecordClues rowOfAnother() {
    return new RecordClues(
        SEQ,
        List.of(copyOf(KEY, SEQ)),
        List.of(),
        List.of(new RowClue(charge("acme", 60_000), 3, false, false, null)),
        List.of(),
        null);
  }

  private static RecordClues kept() {
    return new RecordClues(
        SEQ,
        List.of(),
        List.of(),
        List.of(),
        List.of(new Kept("cdr.suspended", Outcome.SUSPENDED, "NO_PLAN", "", 2, 1234)),
        null);
  }

  private static BatchClues whole() {
    return read(Look.WHOLE, Look.WHOLE);
  }

  private static BatchClues read(Look topic, Look receipts) {
    return batch(topic, receipts, 20, FileClue.UNKNOWN);
  }

  private static BatchClues highest(long seq) {
    return batch(Look.WHOLE, Look.WHOLE, seq, FileClue.UNKNOWN);
  }

  private static BatchClues file(InFile inFile, long records) {
    return batch(Look.WHOLE, Look.WHOLE, 20, FileClue.UNKNOWN.with(inFile, records, ""));
  }

  private static BatchClues batch(Look topic, Look receipts, long highest, FileClue file) {
    return new BatchClues(
        KEY,
        List.of(),
        10,
        new RoaringBitmap(),
        new RoaringBitmap(),
        highest,
        topic,
        receipts,
        file,
        new TreeMap<>(),
        0);
  }

  private static Cdr cdr(String account, long usage) {
    return new Cdr(
        "pbx/1",
        account,
        UsageType.VOICE,
        "",
        "+4930",
        1_782_000_000_000L,
        0,
        usage,
        "ANSWERED",
        Map.of(),
        "",
        "");
  }

  private static Charge charge(String account, long usage) {
    return new Charge(
        cdr(account, usage),
        1,
        new Origin("pbx", "b", SEQ, 2, 1234, 0),
        false,
        new Rating.Priced(
            "plan", 1, "49", "Germany", usage, List.of(), BigDecimal.ONE, BigDecimal.ONE, "EUR"),
        0);
  }
}
