package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.Placement;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.ledger.LedgerReader;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.ReadLimit;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.wire.BatchRecords;
import io.tollgate.wire.SeqText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.roaringbitmap.RoaringBitmap;

/**
 * Corrects what is owed for rows by entries of the correction history: {@code void} to nothing,
 * {@code rerate} to what the pure function says of the record as it stands in the topic. The row
 * itself stays as it is; a revision with the new total lies beside it.
 */
final class CorrectionResolver implements Resolver {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final Set<DifferenceKind> VOIDED =
      Set.of(
          DifferenceKind.SURPLUS_ROW,
          DifferenceKind.DOUBLE_CHARGE,
          DifferenceKind.REPEATED_IDENTITY,
          DifferenceKind.CHANGED_AMOUNT,
          DifferenceKind.CHANGED_CONTENT,
          DifferenceKind.SETTLED_CHANGED);
  private static final Set<DifferenceKind> RERATED =
      Set.of(
          DifferenceKind.CHANGED_AMOUNT,
          DifferenceKind.CHANGED_CONTENT,
          DifferenceKind.SETTLED_CHANGED);

  private final TollgateConfig config;
  private final Resolution resolution;
  private final String reason;

  /**
   * Creates the resolver.
   *
   * @param resolution VOID or RERATE
   * @param reason recorded with the entry of the history
   */
  CorrectionResolver(TollgateConfig config, Resolution resolution, String reason) {
    this.config = config;
    this.resolution = resolution;
    this.reason = reason;
  }

  @Override
  public Resolution resolution() {
    return resolution;
  }

  @Override
  public Optional<String> refusal(RecordedHalt halt, Difference difference) {
    Set<DifferenceKind> fitting = resolution == Resolution.VOID ? VOIDED : RERATED;
    if (difference.kind().equals(DifferenceKind.SETTLED_CHANGED.name())
        && io.tollgate.domain.reconcile.Difference.ofPlace(difference.items()).batch().isEmpty()) {
      return Optional.of(
          difference.kind()
              + " without a row (expected: put the rows right, and the difference is gone; or"
              + " write-off)");
    }
    return fitting.stream().anyMatch(kind -> kind.name().equals(difference.kind()))
        ? Optional.empty()
        : Optional.of(
            difference.kind()
                + " (expected for "
                + HaltListing.word(resolution)
                + ": one of "
                + fitting.stream().map(DifferenceKind::name).sorted().toList()
                + ")");
  }

  @Override
  public List<String> plan(RecordedHalt halt, Difference difference) {
    List<String> plan = new ArrayList<>();
    for (Charge row : rows(difference)) {
      plan.add(
          HaltListing.word(resolution)
              + " account "
              + row.cdr().accountId()
              + ", event "
              + row.cdr().eventId()
              + ", charged "
              + row.rating().amount().toPlainString()
              + " "
              + row.rating().currency());
    }
    return plan;
  }

  @Override
  public void resolve(RecordedHalt halt, Difference difference) throws InterruptedException {
    List<Charge> rows = rows(difference);
    ChargeCorrection correction = new ChargeCorrection(config, resolution, reason);
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      for (Charge row : rows) {
        correction.apply(session, row, resolution == Resolution.RERATE ? original(row) : row.cdr());
      }
    }
  }

  private static boolean isRowOf(Cdr cdr, Charge row) {
    return cdr.accountId().equals(row.cdr().accountId())
        && cdr.eventId().equals(row.cdr().eventId())
        && Placement.usageHour(cdr.startMillis()) == row.usageHour();
  }

  /** Somebody changed the row; what was sent stands in the topic. */
  private Cdr original(Charge row) {
    try (BatchRecords records =
        new BatchRecords(config.kafka().clientProperties(), config.kafka().topics().cdr())) {
      int seq = (int) row.origin().batchSeq();
      long offset = row.origin().offset();
      BatchRecords.Found found =
          records
              .find(
                  row.origin().source(),
                  row.origin().batch(),
                  RoaringBitmap.bitmapOf(seq),
                  Map.of(row.origin().partition(), new long[] {offset, offset}),
                  1,
                  LONGEST)
              .get(seq);
      if (found != null) {
        return found.cdr();
      }
    }
    if (ContentFingerprint.of(row.cdr()) != row.fingerprint()) {
      throw new IllegalStateException(
          ChargeCorrection.key(row)
              + ": its content was changed and the record is not in the topic any more"
              + " (expected: either; void or write off)");
    }
    return row.cdr();
  }

  /** Returns the rows (revision 0) that a difference is about. */
  private List<Charge> rows(Difference difference) {
    io.tollgate.domain.reconcile.Difference found =
        io.tollgate.domain.reconcile.Difference.ofPlace(difference.items());
    RoaringBitmap seqs = SeqText.parse(found.items());
    List<Charge> rows = new ArrayList<>();
    try (LedgerSession session = LedgerSession.open(Provision.connection(config))) {
      LedgerReader reader =
          new LedgerReader(session, LedgerSchema.verify(session), ReadLimit.of(LONGEST));
      Iterator<Charge> all = reader.partition(found.usageHour(), found.bucket());
      while (all.hasNext()) {
        Charge row = all.next();
        if (row.revision() == 0
            && row.origin().source().equals(found.source())
            && row.origin().batch().equals(found.batch())
            && seqs.contains((int) row.origin().batchSeq())) {
          rows.add(row);
        }
      }
      if (difference.kind().equals(DifferenceKind.REPEATED_IDENTITY.name())) {
        return rows.stream()
            .flatMap(
                row ->
                    RepeatedCharges.afterTheFirst(
                        reader
                            .findAround(
                                row.cdr().accountId(), row.cdr().eventId(), row.cdr().startMillis())
                            .toCompletableFuture()
                            .join())
                        .stream())
            .distinct()
            .toList();
      }
    }
    if (difference.kind().equals(DifferenceKind.DOUBLE_CHARGE.name())) {
      // Of the rows of one record, the one that the record in the topic stands for is right.
      rows.removeIf(row -> isRowOf(original(row), row));
    }
    if (rows.isEmpty()) {
      throw new IllegalStateException(
          "no row of source "
              + found.source()
              + ", batch "
              + found.batch()
              + ", batch-seqs "
              + found.items()
              + " in that hour any more (expected: at least one)");
    }
    return rows;
  }
}
