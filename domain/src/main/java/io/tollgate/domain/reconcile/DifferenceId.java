package io.tollgate.domain.reconcile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Short names of differences, made from what they are about. */
final class DifferenceId {
  /** 80 bits: among a million differences two agree with a probability of one in 10^12. */
  private static final int BYTES = 10;

  private DifferenceId() {}

  static String of(String scope, String items) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    byte[] hash = digest.digest((scope + "\n" + items).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, BYTES);
  }
}
