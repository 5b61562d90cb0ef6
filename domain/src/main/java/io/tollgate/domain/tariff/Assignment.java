package io.tollgate.domain.tariff;

import java.util.Objects;

/**
 * Which plan prices an account, and when. Of those valid at the start of usage the most specific
 * decides:
 *
 * <table>
 *   <caption>Order</caption>
 *   <tr><th>kind</th><th>key</th><th>matches</th></tr>
 *   <tr><td>ACCOUNT</td><td>{@code acme-17}</td><td>that account</td></tr>
 *   <tr><td>ACCOUNT_PREFIX</td><td>{@code acme-}</td><td>accounts that begin so; the longest prefix
 *       first</td></tr>
 *   <tr><td>DEFAULT</td><td>empty</td><td>every account</td></tr>
 * </table>
 *
 * @param kind how {@code key} is compared
 * @param key account, beginning of accounts, or empty
 * @param plan name of a plan of the book
 * @param validity when; two of one kind and key never overlap
 * @param version version of the book that introduced it
 */
public record Assignment(Kind kind, String key, String plan, Validity validity, long version) {
  /** How the key of an assignment is compared with an account. */
  public enum Kind {
    ACCOUNT,
    ACCOUNT_PREFIX,
    DEFAULT
  }

  public Assignment {
    Objects.requireNonNull(validity, "validity");
    if (key.isEmpty() != (kind == Kind.DEFAULT)) {
      throw new IllegalArgumentException(
          "assignment key: '" + key + "' (expected: empty for DEFAULT and only there)");
    }
  }

  /** Returns this assignment as introduced by another version. */
  public Assignment withVersion(long newVersion) {
    return new Assignment(kind, key, plan, validity, newVersion);
  }
}
