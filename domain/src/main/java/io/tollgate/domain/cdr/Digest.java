package io.tollgate.domain.cdr;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 over fields, each preceded by its length so that {@code ab,c} and {@code a,bc} differ.
 * One per thread is reused: creating a MessageDigest costs as much as hashing a CDR.
 */
final class Digest {
  private static final ThreadLocal<Digest> OF_THREAD = ThreadLocal.withInitial(Digest::new);

  private final MessageDigest sha256;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  private Digest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must offer SHA-256", e);
    }
  }

  static Digest start() {
    Digest digest = OF_THREAD.get();
    digest.sha256.reset();
    return digest;
  }

  void text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    sha256.update(utf8);
  }

  void number(long value) {
    number.putLong(0, value);
    sha256.update(number.array());
  }

  long first8Bytes() {
    return ByteBuffer.wrap(sha256.digest()).getLong();
  }

  EventIdentity first16Bytes() {
    ByteBuffer hash = ByteBuffer.wrap(sha256.digest());
    return new EventIdentity(hash.getLong(), hash.getLong());
  }
}
