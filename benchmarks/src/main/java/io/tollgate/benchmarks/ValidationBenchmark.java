package io.tollgate.benchmarks;

import io.tollgate.pricing.TariffCheck;
import io.tollgate.pricing.TariffDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What {@code tariff validate} does with 200,000 rows, in a fresh process and not warmed up: as the
 * pricing team meets it.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(5)
@Measurement(iterations = 1)
@State(Scope.Benchmark)
public class ValidationBenchmark {
  private Path directory = Path.of("");

  /** Writes the files. */
  @Setup
  public void write() throws IOException {
    directory = Files.createTempDirectory("tollgate-validation");
    Path plan = Files.createDirectories(directory.resolve("plans/wholesale"));
    Files.writeString(
        plan.resolve("plan.yaml"),
        """
        currency: EUR
        zone: Europe/Berlin
        rounding: {mode: half-up, decimals: 4}
        """);
    List<String> rates = new ArrayList<>();
    rates.add("prefix,destination,type,rate,per,increment,valid_from");
    List<String> prefixes = new LargeBook(LargeBook.ROWS).prefixes();
    for (int i = 0; i < prefixes.size(); i++) {
      rates.add(
          prefixes.get(i)
              + ",Destination "
              + i % 5000
              + ",VOICE,0."
              + (1000 + i % 9000)
              + ",60,60/1,2020-01-01");
    }
    Files.write(plan.resolve("rates.csv"), rates);
    Files.writeString(directory.resolve("assignments.csv"), "account,plan\n*,wholesale\n");
  }

  /** Deletes them. */
  @TearDown
  public void delete() throws IOException {
    List<Path> files = new ArrayList<>();
    try (var walk = Files.walk(directory)) {
      walk.forEach(files::add);
    }
    for (int i = files.size() - 1; i >= 0; i--) {
      Files.delete(files.get(i));
    }
  }

  /** Reads and checks the files. */
  @Benchmark
  public TariffCheck validate() {
    TariffCheck check = TariffDirectory.read(directory);
    if (check.book().isEmpty()) {
      throw new IllegalStateException("errors: " + check.errors());
    }
    return check;
  }
}
