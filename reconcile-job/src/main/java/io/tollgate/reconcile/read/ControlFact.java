package io.tollgate.reconcile.read;

/**
 * A message of the topic {@code cdr.control}.
 *
 * @param source declared id of the source; empty if the message cannot be read
 * @param batch id of the batch; empty if the message cannot be read
 * @param json the message
 * @param fault why it cannot be read; empty if it can
 * @param place topic, partition and offset, for people
 * @param appendMillis when it was appended, UTC milliseconds
 */
@SuppressWarnings("ArrayRecordComponent") // bytes pass through; facts are never compared
public record ControlFact(
    String source, String batch, byte[] json, String fault, String place, long appendMillis) {}
