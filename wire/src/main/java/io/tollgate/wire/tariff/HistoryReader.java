package io.tollgate.wire.tariff;

import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.wire.UnreadableException;

/**
 * Makes the history of the messages of the topic, in their order. The one place that does, so that
 * rating, a rerate and the command line see the same history.
 */
public final class HistoryReader {
  private TariffHistory history = TariffHistory.EMPTY;

  /**
   * Takes the next message.
   *
   * @return the history with it; as it was if the message says nothing new
   * @throws UnreadableException if the message is no book and no correction, or a correction that
   *     does not follow; the history stays as it was
   */
  public TariffHistory take(byte[] message) throws UnreadableException {
    TariffBook newest = history.newest().orElse(null);
    if (CorrectionCodec.isCorrection(message)) {
      Correction correction = CorrectionCodec.decode(message, newest);
      try {
        history = history.with(correction);
      } catch (IllegalArgumentException e) {
        throw new UnreadableException(Reason.UNREADABLE, String.valueOf(e.getMessage()));
      }
    } else {
      history = history.with(TariffBookCodec.decode(message, newest));
    }
    return history;
  }

  /** Returns what was read so far. */
  public TariffHistory history() {
    return history;
  }
}
