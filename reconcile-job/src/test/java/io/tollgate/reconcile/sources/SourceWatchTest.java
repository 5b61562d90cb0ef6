package io.tollgate.reconcile.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.reconcile.compare.SourceRules.Rules;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class SourceWatchTest {
  private static final long MINUTE = 60_000;
  private static final Rules RULES =
      new Rules("", Duration.ofMinutes(10), true, Duration.ofMinutes(60), "-(\\d+)\\.csv$");

  private final SourceWatch watch = SourceWatch.of("pbx", 0);

  @Test
  void noticesASourceThatFallsSilent() {
    watch.heard("a-1.csv", 5 * MINUTE, 5 * MINUTE, RULES);
    assertThat(watch.missing(RULES, 75 * MINUTE)).isEmpty();
    assertThat(watch.missing(RULES, 75 * MINUTE + 1))
        .containsOnlyKeys(new Subject(DifferenceKind.SILENT_SOURCE, "pbx", ""));
    watch.heard("a-2.csv", 76 * MINUTE, 76 * MINUTE, RULES);
    assertThat(watch.missing(RULES, 77 * MINUTE)).isEmpty();
  }

  @Test
  void noticesASourceThatNeverSaidAnything() {
    assertThat(watch.missing(RULES, 70 * MINUTE)).isEmpty();
    assertThat(watch.missing(RULES, 71 * MINUTE)).hasSize(1);
  }

  @Test
  void noticesAFileThatWasLeftOut() {
    watch.heard("cdr-0007.csv", 1, 1, RULES);
    watch.heard("cdr-0010.csv", 2, 2, RULES);
    assertThat(watch.missing(RULES, 10 * MINUTE)).as("may still come").isEmpty();
    assertThat(
            watch
                .missing(RULES, 10 * MINUTE + 3)
                .get(new Subject(DifferenceKind.MISSING_FILE, "pbx", "cdr-#.csv"))
                .seqs())
        .isEqualTo(RoaringBitmap.bitmapOf(8, 9));
    watch.heard("cdr-0009.csv", 3, 11 * MINUTE, RULES);
    watch.heard("cdr-0008.csv", 4, 12 * MINUTE, RULES);
    assertThat(watch.missing(RULES, 13 * MINUTE)).isEmpty();
  }

  @Test
  void takesFilesInAnyOrder() {
    watch.heard("cdr-3.csv", 1, 1, RULES);
    watch.heard("cdr-2.csv", 2, 2, RULES);
    watch.heard("cdr-1.csv", 3, 3, RULES);
    assertThat(watch.missing(RULES, 60 * MINUTE)).isEmpty();
  }

  @Test
  void countsEachSeriesByItself() {
    watch.heard("2026-03-01-1.csv", 1, 1, RULES);
    watch.heard("2026-03-01-2.csv", 1, 1, RULES);
    watch.heard("2026-03-02-1.csv", 1, 1, RULES);
    assertThat(watch.missing(RULES, 60 * MINUTE)).isEmpty();
  }

  @Test
  void passesOverNamesWithoutANumber() {
    watch.heard("Master.csv", 1, 1, RULES);
    watch.heard("cdr-99999999999999999999.csv", 1, 1, RULES);
    assertThat(watch.missing(RULES, 60 * MINUTE)).isEmpty();
  }

  @Test
  void asksForNothingThatWasNotDeclared() {
    Rules none = new Rules("", Duration.ofMinutes(10), true, null, null);
    watch.heard("cdr-1.csv", 1, 1, none);
    watch.heard("cdr-5.csv", 1, 1, none);
    assertThat(watch.missing(none, Duration.ofDays(400).toMillis())).isEmpty();
  }

  @Test
  void goesOnFromWhatWasStored() {
    watch.heard("cdr-0007.csv", 1, 1, RULES);
    watch.heard("cdr-0010.csv", 2, 2, RULES);
    SourceWatch restored = SourceWatch.decode(watch.encode());
    assertThat(restored.encode()).isEqualTo(watch.encode());
    assertThat(restored.missing(RULES, 20 * MINUTE).keySet())
        .isEqualTo(watch.missing(RULES, 20 * MINUTE).keySet());
  }
}
