package io.tollgate.rerate;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.rating.LedgerAccess;
import io.tollgate.rating.receipts.ReceiptPart;
import io.tollgate.rating.write.ChargeWriter;
import io.tollgate.wire.Receipt;
import io.tollgate.wire.Receipt.RevisedPartition;
import io.tollgate.wire.ReceiptCodec;
import io.tollgate.wire.tariff.TariffFeed;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Reads the charges of a unit, and writes the revisions that are not there. When a barrier comes it
 * waits until the ledger has acknowledged them and only then says, ahead of the barrier, where they
 * are; so a unit that counts as done is in the ledger. A unit that is done again after a restart
 * finds its revisions there, or writes the same.
 */
final class RerateRows extends AbstractStreamOperator<Change>
    implements OneInputStreamOperator<Long, Change>, BoundedOneInput {
  /** Uid of the operator. */
  static final String UID = "rerate";

  /** Side output of units that are through. */
  static final OutputTag<UnitDone> DONE =
      new OutputTag<>("done", TypeInformation.of(UnitDone.class));

  /** Side output of receipts that say where revisions were written. */
  static final OutputTag<ReceiptPart> RECEIPTS =
      new OutputTag<>("receipts", TypeInformation.of(ReceiptPart.class));

  private static final String RECEIPT_KEY = "";

  private final Work work;
  private final LedgerLayout layout;
  private final LedgerRows.Factory rowsFactory;
  private final LedgerAccess ledger;
  private final TariffFeed.Factory tariffs;
  private transient LedgerRows rows;
  private transient ChargeWriter writer;
  private transient TariffFeed history;
  private transient Set<RevisedPartition> revised;

  RerateRows(
      Work work,
      LedgerLayout layout,
      LedgerRows.Factory rowsFactory,
      LedgerAccess ledger,
      TariffFeed.Factory tariffs) {
    this.work = work;
    this.layout = layout;
    this.rowsFactory = rowsFactory;
    this.ledger = ledger;
    this.tariffs = tariffs;
  }

  @Override
  public void open() throws Exception {
    super.open();
    revised = new LinkedHashSet<>();
    history = tariffs.open();
    if (history.correction() < work.toCorrection()) {
      throw new IllegalStateException(
          "correction "
              + work.toCorrection()
              + " is not on the tariff topic (it ends with "
              + history.correction()
              + ")");
    }
    rows = rowsFactory.open();
    writer = ledger.openWriter(getMetricGroup());
  }

  @Override
  public void processElement(StreamRecord<Long> element) throws Exception {
    long unit = element.getValue();
    long hour = work.hour(unit);
    int ofHour = work.ofHour(unit);
    if (work.accounts().isEmpty() && ofHour >= layout.at(hour).buckets()) {
      output.collect(DONE, new StreamRecord<>(new UnitDone(0, 0)));
      return;
    }
    Iterator<Charge> all =
        work.accounts().isEmpty()
            ? rows.partition(hour, ofHour)
            : rows.account(hour, work.accounts().get(ofHour));
    long charges = 0;
    long missing = 0;
    List<Charge> ofCharge = new ArrayList<>();
    while (all.hasNext()) {
      Charge row = all.next();
      if (!ofCharge.isEmpty() && !isSameCharge(ofCharge.get(0), row)) {
        missing += revise(ofCharge);
        charges++;
        ofCharge.clear();
      }
      ofCharge.add(row);
    }
    if (!ofCharge.isEmpty()) {
      missing += revise(ofCharge);
      charges++;
    }
    output.collect(DONE, new StreamRecord<>(new UnitDone(charges, missing)));
  }

  private static boolean isSameCharge(Charge one, Charge other) {
    return one.cdr().eventId().equals(other.cdr().eventId())
        && one.cdr().accountId().equals(other.cdr().accountId());
  }

  /** Returns how many revisions were missing. */
  private int revise(List<Charge> ofCharge) throws InterruptedException {
    Revising revising =
        Revising.of(ofCharge, history.rater(), work.fromCorrection(), work.toCorrection());
    revising.changes().forEach(change -> output.collect(new StreamRecord<>(change)));
    if (!work.dryRun()) {
      for (Charge revision : revising.missing()) {
        writer.add(revision);
        long hour = revision.usageHour();
        revised.add(
            new RevisedPartition(
                hour,
                layout.at(hour).bucket(revision.cdr().accountId(), revision.cdr().eventId())));
      }
    }
    return revising.missing().size();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    acknowledge();
  }

  @Override
  public void endInput() throws Exception {
    acknowledge();
  }

  private void acknowledge() throws InterruptedException {
    writer.flush();
    if (!revised.isEmpty()) {
      output.collect(
          RECEIPTS,
          new StreamRecord<>(
              new ReceiptPart(
                  RECEIPT_KEY,
                  new ReceiptCodec().encode(Receipt.ofRevised(List.copyOf(revised))))));
      revised.clear();
    }
  }

  @Override
  public void close() throws Exception {
    // Each is null if the task ended before it was opened.
    ChargeWriter openedWriter = writer;
    LedgerRows openedRows = rows;
    TariffFeed openedHistory = history;
    if (openedWriter != null) {
      openedWriter.close();
    }
    if (openedRows != null) {
      openedRows.close();
    }
    if (openedHistory != null) {
      openedHistory.close();
    }
    super.close();
  }
}
