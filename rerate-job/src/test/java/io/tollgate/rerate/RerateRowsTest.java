package io.tollgate.rerate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.rating.LedgerAccess;
import io.tollgate.rating.dedup.EventLookup;
import io.tollgate.rating.write.ChargeWriter;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.RevisedPartition;
import io.tollgate.wire.ReceiptCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RerateRowsTest {
  private static final LedgerLayout LAYOUT = LedgerLayout.always(new Placement(4, Set.of()));
  private static final Work.Span ONE_HOUR = new Work.Span(History.HOUR, History.HOUR);

  private final History history = History.ofTwoCorrections();
  private final Ledger ledger = new Ledger();
  private OneInputStreamOperatorTestHarness<Long, Change> harness;

  @AfterEach
  void close() throws Exception {
    if (harness != null) {
      harness.close();
    }
  }

  @Test
  void writesWhatIsMissingAndSaysWhereAfterItIsAcknowledged() throws Exception {
    ledger.rows.add(history.charge("acme", "e1", "+49301", 1));
    ledger.rows.add(history.charge("acme", "e2", "+49301", 2));
    ledger.rows.add(history.charge("acme", "e3", "+44201", 1));
    Work work = open(List.of(), 2, false);
    all(work);
    assertThat(receipts()).isEmpty();
    assertThat(ledger.acknowledged).isEmpty();

    harness.prepareSnapshotPreBarrier(1);
    assertThat(ledger.acknowledged)
        .containsExactlyInAnyOrder("e1 1: 2.00", "e1 2: 3.00", "e2 1: 4.00", "e2 2: 6.00");
    assertThat(receipts().stream().flatMap(receipt -> receipt.revised().stream()))
        .containsExactlyInAnyOrderElementsOf(
            ledger.rows.stream()
                .filter(row -> row.revision() > 0)
                .map(row -> new RevisedPartition(row.usageHour(), bucket(row)))
                .distinct()
                .toList());
    assertThat(done(UnitDone::charges)).isEqualTo(3);
    assertThat(done(UnitDone::missing)).isEqualTo(4);
  }

  @Test
  void changesNothingMoreTheSecondTime() throws Exception {
    ledger.rows.add(history.charge("acme", "e1", "+49301", 1));
    all(open(List.of(), 2, false));
    harness.endInput();
    List<Change> first = harness.extractOutputValues();
    List<String> written = List.copyOf(ledger.acknowledged);
    harness.close();

    all(open(List.of(), 2, false));
    harness.endInput();
    assertThat(ledger.acknowledged).isEqualTo(written);
    assertThat(receipts()).isEmpty();
    assertThat(done(UnitDone::missing)).isZero();
    assertThat(harness.extractOutputValues()).isEqualTo(first);
  }

  @Test
  void writesNothingInADryRunAndReportsTheSame() throws Exception {
    ledger.rows.add(history.charge("acme", "e1", "+49301", 1));
    all(open(List.of(), 2, true));
    harness.endInput();
    assertThat(ledger.acknowledged).isEmpty();
    assertThat(receipts()).isEmpty();
    assertThat(done(UnitDone::missing)).isEqualTo(2);
    assertThat(harness.extractOutputValues())
        .extracting(change -> change.before() + " " + change.after())
        .containsExactly("1.00 3.00");
  }

  @Test
  void touchesNoOtherAccount() throws Exception {
    ledger.rows.add(history.charge("acme", "e1", "+49301", 1));
    ledger.rows.add(history.charge("other", "e1", "+49301", 1));
    all(open(List.of("acme", "nobody"), 1, false));
    harness.endInput();
    assertThat(ledger.acknowledged).containsExactly("e1 1: 2.00");
    assertThat(ledger.rows.stream().filter(row -> row.cdr().accountId().equals("other")))
        .hasSize(1);
  }

  @Test
  void aReceiptIsNotGivenForWhatWasNotAcknowledged() throws Exception {
    ledger.rows.add(history.charge("acme", "e1", "+49301", 1));
    all(open(List.of(), 2, false));
    ledger.failing = true;
    assertThatThrownBy(() -> harness.prepareSnapshotPreBarrier(1)).hasMessage("no answer");
    assertThat(receipts()).isEmpty();
  }

  @Test
  void refusesACorrectionThatIsNotOnTheTopic() {
    assertThatThrownBy(() -> open(List.of(), 3, false))
        .hasStackTraceContaining("correction 3 is not on the tariff topic (it ends with 2)");
  }

  private Work open(List<String> accounts, long to, boolean dryRun) throws Exception {
    Work work = Work.of("run", ONE_HOUR, accounts, 0, to, dryRun, LAYOUT);
    Shared<Ledger> shared = Shared.of(ledger);
    Shared<History> feed = Shared.of(history);
    harness =
        new OneInputStreamOperatorTestHarness<>(
            new RerateRows(
                work,
                LAYOUT,
                () -> shared.get().rows(),
                new Access(shared),
                () -> feed.get().feed()));
    harness.open();
    return work;
  }

  private void all(Work work) throws Exception {
    for (long unit : LongStream.range(0, work.units()).toArray()) {
      harness.processElement(new StreamRecord<>(unit));
    }
  }

  private List<Receipt> receipts() throws Exception {
    List<Receipt> receipts = new ArrayList<>();
    if (harness.getSideOutput(RerateRows.RECEIPTS) != null) {
      for (StreamRecord<io.tollgate.rating.receipts.ReceiptPart> part :
          harness.getSideOutput(RerateRows.RECEIPTS)) {
        receipts.add(new ReceiptCodec().decode(part.getValue().receipt()));
      }
    }
    return receipts;
  }

  private long done(java.util.function.ToLongFunction<UnitDone> what) {
    return harness.getSideOutput(RerateRows.DONE).stream()
        .mapToLong(unit -> what.applyAsLong(unit.getValue()))
        .sum();
  }

  private static int bucket(Charge row) {
    return LAYOUT.at(row.usageHour()).bucket(row.cdr().accountId(), row.cdr().eventId());
  }

  private record Access(Shared<Ledger> ledger) implements LedgerAccess {
    @Override
    public ChargeWriter openWriter(MetricGroup metrics) {
      return ledger.get().writer();
    }

    @Override
    public EventLookup openLookup(MetricGroup metrics) {
      throw new UnsupportedOperationException("a rerate looks nothing up");
    }
  }

  /** Rows in memory; what is written is there when it is flushed. */
  private static final class Ledger {
    private final List<Charge> rows = new ArrayList<>();
    private final List<String> acknowledged = new ArrayList<>();
    private boolean failing;

    private LedgerRows rows() {
      return new LedgerRows() {
        @Override
        public Iterator<Charge> partition(long usageHour, int bucket) {
          return where(usageHour).filter(row -> bucket(row) == bucket).iterator();
        }

        @Override
        public Iterator<Charge> account(long usageHour, String accountId) {
          return where(usageHour).filter(row -> row.cdr().accountId().equals(accountId)).iterator();
        }

        @Override
        public void close() {}
      };
    }

    private java.util.stream.Stream<Charge> where(long usageHour) {
      return rows.stream()
          .filter(row -> row.usageHour() == usageHour)
          .sorted(
              Comparator.comparing((Charge row) -> row.cdr().accountId())
                  .thenComparing(row -> row.cdr().eventId())
                  .thenComparing(Charge::revision))
          .toList()
          .stream();
    }

    private ChargeWriter writer() {
      List<Charge> waiting = new ArrayList<>();
      return new ChargeWriter() {
        @Override
        public void add(Charge charge) {
          waiting.add(charge);
        }

        @Override
        public void flush() {
          if (failing) {
            throw new IllegalStateException("no answer");
          }
          for (Charge charge : waiting) {
            rows.add(charge);
            acknowledged.add(
                charge.cdr().eventId()
                    + " "
                    + charge.revision()
                    + ": "
                    + charge.rating().amount().toPlainString());
          }
          waiting.clear();
        }

        @Override
        public void close() {}
      };
    }
  }
}
