package io.tollgate.domain.cdr;

import java.util.TreeMap;

/**
 * A short fingerprint of a CDR's content. Two records of one identity with the same fingerprint are
 * the same event reported twice; with different ones they are a conflict.
 *
 * <p>Covered, in this order: usage type, calling, called, start (instant), raw usage, cause and
 * attributes sorted by name. Not covered: identity, offset of the source's clock, original
 * spellings of the numbers, and anything about delivery. The first 8 bytes of SHA-256, so that
 * nobody can craft a pair; two different contents of one identity pass for the same with
 * probability 2^-64.
 */
public final class ContentFingerprint {
  private ContentFingerprint() {}

  /** Returns the fingerprint of the content of {@code cdr}. */
  public static long of(Cdr cdr) {
    Digest digest = Digest.start();
    digest.text(cdr.usageType().name());
    digest.text(cdr.calling());
    digest.text(cdr.called());
    digest.number(cdr.startMillis());
    digest.number(cdr.usage());
    digest.text(cdr.cause());
    digest.number(cdr.attributes().size());
    if (!cdr.attributes().isEmpty()) {
      new TreeMap<>(cdr.attributes())
          .forEach(
              (name, value) -> {
                digest.text(name);
                digest.text(value);
              });
    }
    return digest.first8Bytes();
  }
}
