package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.reconcile.compare.SourceRules;
import java.io.Serializable;

/**
 * What a confirmed difference does.
 *
 * <table>
 *   <caption>What decides</caption>
 *   <tr><th>difference</th><th>halts</th></tr>
 *   <tr><td>a control message that cannot be read</td><td>never</td></tr>
 *   <tr><td>something that never came: a control total, a file, a feed</td>
 *       <td>if the source's {@code on_missing} says so</td></tr>
 *   <tr><td>any other</td><td>if {@code reconcile.on_mismatch} says so</td></tr>
 * </table>
 *
 * @param haltsOnMismatch whether {@code reconcile.on_mismatch} is {@code halt}
 * @param sources what was declared of the sources
 */
public record HaltPolicy(boolean haltsOnMismatch, SourceRules sources) implements Serializable {
  /** Returns whether a difference halts charging. */
  public boolean halts(Difference difference) {
    return switch (difference.kind()) {
      case UNREADABLE_CONTROL -> false;
      case OVERDUE_TOTAL, MISSING_FILE, SILENT_SOURCE ->
          haltsOnMismatch && sources.of(difference.source()).haltsWhenMissing();
      default -> haltsOnMismatch;
    };
  }
}
