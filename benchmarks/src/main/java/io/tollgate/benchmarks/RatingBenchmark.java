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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to price one call by a price list of 200,000 rows. It takes some ten seconds until
 * the compiler has settled: before that a call costs up to ten times as much.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 12, time = 2)
@Measurement(iterations = 5, time = 2)
public class RatingBenchmark {

  /**
   * Calls to be priced, over and over. A thousand of them stay in the processor's caches with all
   * that prices them; of 65,536 to random prefixes nothing does, which no traffic is like: most
   * calls go to few destinations.
   */
  @State(Scope.Benchmark)
  public abstract static class Calls {
    /** How many different calls. */
    @Param({"1024", "65536"})
    public int calls;

    /** The price list. */
    final LargeBook list;

    private Cdr[] made = {};
    private int next;

    Calls(LargeBook list) {
      this.list = list;
    }

    /** Makes the calls. */
    @Setup
    public void makeCalls() {
      made = list.calls(calls);
    }

    Cdr call() {
      return made[next++ & (made.length - 1)];
    }
  }

  /** One price for each prefix. */
  @State(Scope.Benchmark)
  public static class AnyTime extends Calls {
    private final TariffBook book;

    /** Builds the book. */
    public AnyTime() {
      super(new LargeBook(LargeBook.ROWS));
      book = LargeBook.anyTime(list.prefixes());
    }
  }

  /** A peak and an off-peak price for each of half as many prefixes. */
  @State(Scope.Benchmark)
  public static class PeakAndOffPeak extends Calls {
    private final TariffBook book;

    /** Builds the book. */
    public PeakAndOffPeak() {
      super(new LargeBook(LargeBook.ROWS / 2));
      book = LargeBook.peakAndOffPeak(list.prefixes());
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
