package io.tollgate.ledger.gate;

import java.time.Instant;

/**
 * The savepoint with which a job was stopped because of a halt.
 *
 * @param job Flink's id of the job
 * @param path where the savepoint lies
 * @param at for people only
 */
public record HaltSavepoint(String job, String path, Instant at) {}
