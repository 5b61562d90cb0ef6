package io.tollgate.benchmarks;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.TariffBook;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to price one call by a price list of 200,000 rows. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RatingBenchmark {

  /** One price for each prefix. */
  @State(Scope.Benchmark)
  public static class AnyTime {
    private final LargeBook list = new LargeBook(LargeBook.ROWS);
    private final TariffBook book = LargeBook.anyTime(list.prefixes());
    private final Cdr[] calls = list.calls();
    private int next;

    Cdr call() {
      return calls[next++ & (LargeBook.CALLS - 1)];
    }
  }

  /** A peak and an off-peak price for each of half as many prefixes. */
  @State(Scope.Benchmark)
  public static class PeakAndOffPeak {
    private final LargeBook list = new LargeBook(LargeBook.ROWS / 2);
    private final TariffBook book = LargeBook.peakAndOffPeak(list.prefixes());
    private final Cdr[] calls = list.calls();
    private int next;

    Cdr call() {
      return calls[next++ & (LargeBook.CALLS - 1)];
    }
  }

  /** Prices a call at any time. */
  @Benchmark
  public Rating rate(AnyTime state) {
    return state.book.rate(state.call());
  }

  /** Prices a call whose band must be found. */
  @Benchmark
  public Rating rateWithBands(PeakAndOffPeak state) {
    return state.book.rate(state.call());
  }
}
