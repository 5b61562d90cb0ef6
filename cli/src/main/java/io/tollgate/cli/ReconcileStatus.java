package io.tollgate.cli;

import io.tollgate.domain.reconcile.ReconcileResult.Cycle;
import io.tollgate.settlement.ResultReader;
import io.tollgate.settlement.ResultReader.BatchRow;
import io.tollgate.settlement.ResultReader.DifferenceRow;
import io.tollgate.settlement.ResultReader.HaltRow;
import io.tollgate.settlement.ResultReader.HourRow;
import io.tollgate.settlement.ResultReader.Overview;
import io.tollgate.settlement.ResultReader.SourceRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * How reconciliation is, at one moment.
 *
 * @param nowMillis when it was asked
 * @param verdict the one thing to know first
 */
record ReconcileStatus(
    long nowMillis,
    Verdict verdict,
    Overview overview,
    List<Cycle> cycles,
    List<DifferenceRow> differences,
    List<HaltRow> halts,
    List<SourceRow> sources,
    List<BatchRow> batches,
    List<HourRow> hours) {
  private static final int CYCLES = 5;
  private static final int HALTS = 5;

  /** A cycle may take its whole interval, and the next one be just under way. */
  static final int INTERVALS_UNTIL_BEHIND = 3;

  /**
   * The one thing to know first. The first row that applies:
   *
   * <table>
   * <caption>Verdicts</caption>
   * <tr><td>no cycle is recorded</td><td>NO_DATA</td></tr>
   * <tr><td>a difference is confirmed, or a source in mismatch</td><td>MISMATCH</td></tr>
   * <tr><td>the newest cycle is older than three intervals</td><td>BEHIND</td></tr>
   * <tr><td>else</td><td>BALANCED</td></tr>
   * </table>
   */
  enum Verdict {
    BALANCED(0, "balanced and current"),
    BEHIND(3, "BEHIND: the newest cycle is too old; see that the reconcile job runs"),
    MISMATCH(4, "MISMATCH: differences are confirmed; see below"),
    NO_DATA(5, "NO DATA: no cycle is recorded; start the reconcile job");

    private final int exitCode;
    private final String text;

    Verdict(int exitCode, String text) {
      this.exitCode = exitCode;
      this.text = text;
    }

    int exitCode() {
      return exitCode;
    }

    String text() {
      return text;
    }

    static Verdict of(List<Cycle> cycles, Overview overview, long nowMillis, Duration interval) {
      if (cycles.isEmpty()) {
        return NO_DATA;
      }
      if (overview.confirmedDifferences() > 0 || overview.sourcesInMismatch() > 0) {
        return MISMATCH;
      }
      long ageMillis = nowMillis - cycles.get(0).finishedMillis();
      return ageMillis > interval.multipliedBy(INTERVALS_UNTIL_BEHIND).toMillis()
          ? BEHIND
          : BALANCED;
    }
  }

  static ReconcileStatus read(ResultReader reader, long nowMillis, Duration interval, int limit)
      throws SQLException {
    List<Cycle> cycles = reader.lastCycles(CYCLES);
    Overview overview = reader.overview();
    return new ReconcileStatus(
        nowMillis,
        Verdict.of(cycles, overview, nowMillis, interval),
        overview,
        cycles,
        reader.openDifferences(limit),
        reader.halts(HALTS),
        reader.sources(limit),
        reader.openBatches(limit),
        reader.openHours(limit));
  }
}
