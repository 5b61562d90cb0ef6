package io.tollgate.rating.receipts;

/**
 * A receipt on its way, as bytes.
 *
 * @param batchKey source and batch; parts of one batch meet
 * @param receipt the encoded {@link io.tollgate.wire.Receipt}
 */
@SuppressWarnings("ArrayRecordComponent") // bytes pass through; parts are never compared
public record ReceiptPart(String batchKey, byte[] receipt) {}
