package io.tollgate.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.cli.explain.BatchClues.Look;
import io.tollgate.cli.explain.PatientScan.Stretch;
import io.tollgate.cli.explain.RecordClues.Copy;
import io.tollgate.cli.explain.RecordClues.Line;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.SeqText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchDraftTest {
  private static final BatchKey KEY = new BatchKey("pbx", "b");

  private final BatchDraft draft = new BatchDraft(KEY);

  @Test
  void shouldNameWhatReceiptsAndControlTotalDisagreeAbout() {
    draft.said(total(10), 0, 1, 0);
    draft.take(
        receipt(
            "0-3,6", entry(4, Outcome.SUSPENDED), entry(12, Outcome.REJECTED), entry(-1, null)));

    draft.receiptsRead(Look.WHOLE, 100);

    BatchClues clues = draft.clues();
    assertThat(SeqText.of(clues.withoutReceipt())).isEqualTo("5,7-9");
    assertThat(SeqText.of(clues.beyondTotal())).isEqualTo("12");
    assertThat(clues.named()).containsOnlyKeys(5L, 7L, 8L, 9L, 12L);
    assertThat(clues.named().get(12L).receipts())
        .singleElement()
        .matches(named -> named.outcome() == Outcome.REJECTED && named.offset() == 100 + 12);
  }

  @Test
  void shouldMissNothingWhileReceiptsWereNotReadToTheEnd() {
    draft.said(total(10), 0, 1, 0);

    draft.receiptsRead(Look.PART, 100);

    assertThat(draft.clues().named()).isEmpty();
  }

  @Test
  void shouldNameNoMoreThanAskedForHoweverMuchATotalClaims() {
    draft.said(total(Long.MAX_VALUE), 0, 1, 0);

    draft.receiptsRead(Look.WHOLE, 3);

    assertThat(draft.clues().named()).containsOnlyKeys(0L, 1L, 2L);
    assertThat(draft.clues().unnamed()).isEqualTo(Integer.MAX_VALUE + 1L - 3);
  }

  @Test
  void shouldLetRatedBeTheStrongestOutcome() {
    draft.take(receipt("", entry(4, Outcome.SUSPENDED)));
    draft.take(receipt("4"));

    draft.receiptsRead(Look.WHOLE, 3);

    assertThat(SeqText.of(draft.clues().rated())).isEqualTo("4");
    assertThat(draft.clues().unrated().isEmpty()).isTrue();
  }

  @Test
  void shouldLookWhereTheBatchWasSentAndWhereReceiptsSawIt() {
    draft.said(new BatchAnnounced("pbx", "b", "pbx.csv", 0, 9), 0, 0, 0);
    draft.said(total(10), 0, 1, 0);
    draft.take(receipt("", entry(4, Outcome.SUSPENDED)));

    assertThat(
            draft.stretches(
                Map.of(0, 50L, 1, 60L, 2, Long.MAX_VALUE),
                Map.of(0, new Stretch(0, 500), 1, new Stretch(70, 500), 2, new Stretch(0, 500))))
        // Of partition 1 the total has the last offset, partition 2 only a receipt.
        .isEqualTo(Map.of(1, new Stretch(70, 81), 2, new Stretch(104, 105)));
  }

  @Test
  void shouldLookToTheEndWhileThereIsNoTotal() {
    draft.said(new BatchAnnounced("pbx", "b", "pbx.csv", 0, 9), 0, 0, 0);

    assertThat(draft.stretches(Map.of(0, 50L), Map.of(0, new Stretch(0, 500))))
        .isEqualTo(Map.of(0, new Stretch(50, 500)));
  }

  @Test
  void shouldTellTheLineOfALostRecordByItsNeighbours() {
    draft.said(new BatchAnnounced("pbx", "b", "pbx.csv", 0, 9), 0, 0, 0);
    draft.want(SeqText.parse("5-6,20"), 10);
    draft.take(copy(4, "pbx.csv:104"));
    draft.take(copy(7, "pbx.csv:107"));
    draft.take(copy(19, "pbx.csv:119"));
    draft.take(copy(21, "pbx.csv:130"));

    assertThat(draft.clues().named().get(6L).line()).isEqualTo(new Line("pbx.csv", 106, false, ""));
    assertThat(draft.clues().named().get(20L).line()).as("more lines than records").isNull();
    assertThat(draft.clues().highestSeq()).isEqualTo(21);
  }

  @Test
  void shouldSayWhichSetOfAReceiptNamesARecord() {
    draft.want(SeqText.parse("3"), 10);
    draft.take(receipt("0-3"));
    draft.take(receipt("0-3"));

    assertThat(draft.clues().named().get(3L).receipts())
        .singleElement()
        .matches(named -> named.usageHour() == 495_000 && named.bucket() == 2);
  }

  private static ControlTotal total(long records) {
    return new ControlTotal(
        "pbx", "b", "pbx.csv", records, 0, Map.of(UsageType.VOICE, 1L), Map.of(1, 80L));
  }

  private static Receipt receipt(String seqs, Receipt.Entry... entries) {
    return new Receipt(
        "pbx",
        "b",
        1,
        seqs.isEmpty()
            ? List.of()
            : List.of(new Receipt.RatedSet(495_000, 2, SeqText.parse(seqs), List.of())),
        List.of(entries));
  }

  private static Receipt.Entry entry(long seq, @Nullable Outcome outcome) {
    return new Receipt.Entry(
        seq,
        2,
        100 + seq,
        outcome == null ? Outcome.REJECTED : outcome,
        Reason.UNREADABLE,
        false,
        "",
        "",
        0,
        null,
        0,
        0);
  }

  private static Copy copy(long seq, String place) {
    return new Copy(KEY, seq, 0, seq, place, "", null, true);
  }
}
