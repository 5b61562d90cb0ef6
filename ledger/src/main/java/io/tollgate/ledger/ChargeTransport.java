package io.tollgate.ledger;

import java.util.concurrent.CompletionStage;

/**
 * Sends one request to the ledger: the seam at which tests let writes fail, be carried out without
 * an answer, or answer late.
 */
interface ChargeTransport {

  /**
   * Sends the rows once. The stage completes when the ledger acknowledged them, or with the
   * driver's error; on any thread.
   */
  CompletionStage<?> send(RowBatch batch);
}
