package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Revision;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.Reprice;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import io.tollgate.ledger.LedgerRepair;
import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.wire.tariff.TariffTopic;

/**
 * Corrects what is owed for single charges: appends an entry to the correction history, and writes
 * its revision beside the row, which stays as it is.
 */
final class ChargeCorrection {
  private final TariffTopic topic;
  private final Resolution resolution;
  private final String reason;

  /**
   * Creates the correction.
   *
   * @param resolution VOID or RERATE
   * @param reason recorded with the entry of the history
   */
  ChargeCorrection(TollgateConfig config, Resolution resolution, String reason) {
    this.topic = TariffPublication.topic(config);
    this.resolution = resolution;
    this.reason = reason;
  }

  /**
   * Corrects a charge. Repeating it changes nothing.
   *
   * @param cdr what was used, as it was sent
   * @return the revision
   */
  Revision apply(LedgerSession session, Charge row, Cdr cdr) throws InterruptedException {
    long number = entryFor(row);
    // Read again: the entry is part of the history now.
    Revision revision =
        topic.read().history().revisions(cdr).stream()
            .filter(each -> each.number() == number)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "correction " + number + " gives no revision of " + key(row)));
    new LedgerRepair(session, LedgerSchema.verify(session))
        .writeIfAbsent(
            new Charge(
                cdr,
                ContentFingerprint.of(cdr),
                row.origin(),
                row.late(),
                revision.total(),
                number));
    return revision;
  }

  /** Returns the number of the entry about a row; a command that is repeated finds its first. */
  private long entryFor(Charge row) throws InterruptedException {
    ChargeKey key = key(row);
    for (Correction correction : topic.read().history().corrections()) {
      boolean isVoid = correction instanceof VoidCharge made && made.key().equals(key);
      boolean isReprice = correction instanceof Reprice made && made.key().equals(key);
      if (resolution == Resolution.VOID ? isVoid : isReprice) {
        return correction.number();
      }
    }
    return topic
        .append(
            number ->
                resolution == Resolution.VOID
                    ? new VoidCharge(number, reason, key)
                    : new Reprice(number, reason, key))
        .number();
  }

  /** Returns where a charge lies. */
  static ChargeKey key(Charge row) {
    return new ChargeKey(row.cdr().accountId(), row.cdr().eventId(), row.usageHour());
  }
}
