package io.tollgate.cli.explain;

/**
 * A likely reason, and what to do.
 *
 * @param cause what probably happened, as a sentence
 * @param next what to do about it
 */
public record Likely(String cause, String next) {}
