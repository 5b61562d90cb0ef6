package io.tollgate.benchmarks;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.rating.PrefixTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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

/** What it costs to find the longest of 200,000 prefixes. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PrefixLookupBenchmark {
  private static final int CALLS = 1 << 16;

  /** The prefixes, and numbers below them. */
  @State(Scope.Benchmark)
  public static class Prefixes {
    private final PrefixTable<String> table;
    private final Cdr[] calls;
    private int next;

    /** Builds the table. */
    public Prefixes() {
      LargeBook list = new LargeBook(LargeBook.ROWS);
      Map<String, String> entries = new HashMap<>();
      list.prefixes().forEach(prefix -> entries.put(prefix, prefix));
      table = PrefixTable.of(entries, String[]::new);
      calls = list.calls(CALLS);
    }
  }

  /** Finds the prefix of a called number. */
  @Benchmark
  public String longestPrefix(Prefixes state) {
    Cdr call = state.calls[state.next++ & (CALLS - 1)];
    return Objects.requireNonNull(state.table.longest(call.called()));
  }
}
