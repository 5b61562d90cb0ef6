package io.tollgate.ingest.generate;

import io.tollgate.domain.cdr.CdrRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What load to make. Shares are in parts per million of all records.
 *
 * @param records how many records, bad ones and repeats among them
 * @param accounts how many accounts they are of
 * @param duplicatesPpm repeats of an earlier record
 * @param conflictsPpm the id of an earlier record with other content
 * @param suspendedPpm calls to +33 1 99, which the sample tariffs do not price
 * @param latePpm records of usage 2 hours to 7 days before their neighbours'
 * @param badPpm records that must be rejected
 * @param outOfOrderSeconds how far starts are shuffled against the order of sending
 * @param hotAccounts how many accounts have more traffic than the others
 * @param hotSharePpm share of traffic that those have together
 * @param start start of the first record
 * @param span how long after it the last one starts
 * @param seed the same seed makes the same load
 */
public record GeneratorSettings(
    long records,
    int accounts,
    int duplicatesPpm,
    int conflictsPpm,
    int suspendedPpm,
    int latePpm,
    int badPpm,
    int outOfOrderSeconds,
    int hotAccounts,
    int hotSharePpm,
    Instant start,
    Duration span,
    long seed) {
  /** The whole, in parts per million. */
  public static final int ALL_PPM = 1_000_000;

  /** Instant that a load starts at unless another is asked for. */
  public static final Instant DEFAULT_START = Instant.parse("2026-10-05T00:00:00Z");

  private static final long MAX_RECORDS = 100_000_000_000L;
  private static final int MAX_ACCOUNTS = 100_000_000;
  private static final long MAX_SPAN_DAYS = 3660;

  public GeneratorSettings {
    List<String> faults = new ArrayList<>();
    range("records", records, 1, MAX_RECORDS, faults);
    range("accounts", accounts, 1, MAX_ACCOUNTS, faults);
    range("duplicates", duplicatesPpm, 0, ALL_PPM, faults);
    range("conflicts", conflictsPpm, 0, ALL_PPM, faults);
    range("suspended", suspendedPpm, 0, ALL_PPM, faults);
    range("late", latePpm, 0, ALL_PPM, faults);
    range("bad", badPpm, 0, ALL_PPM, faults);
    range("out-of-order-seconds", outOfOrderSeconds, 0, 31 * 86_400, faults);
    range("hot accounts", hotAccounts, 0, accounts, faults);
    range("hot share", hotSharePpm, 0, ALL_PPM, faults);
    range("span in days", span.toDays(), 0, MAX_SPAN_DAYS, faults);
    if (start.isBefore(CdrRules.EARLIEST_START.plus(Duration.ofDays(60)))) {
      faults.add("start: " + start + " (expected: 60 days after 2000-01-01 or later)");
    }
    long sum = (long) duplicatesPpm + conflictsPpm + suspendedPpm + badPpm;
    if (sum > ALL_PPM) {
      faults.add(
          "duplicates + conflicts + suspended + bad: "
              + sum
              + " parts per million (expected: at most all)");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", faults));
    }
  }

  /** Returns a load of good records only. */
  public static GeneratorSettings clean(long records, int accounts, long seed) {
    return new GeneratorSettings(
        records, accounts, 0, 0, 0, 0, 0, 0, 0, 0, DEFAULT_START, Duration.ofDays(1), seed);
  }

  /** Returns this load with shares of repeats, conflicts, late and bad records. */
  public GeneratorSettings withShares(
      int duplicates, int conflicts, int suspended, int late, int bad) {
    return new GeneratorSettings(
        records,
        accounts,
        duplicates,
        conflicts,
        suspended,
        late,
        bad,
        outOfOrderSeconds,
        hotAccounts,
        hotSharePpm,
        start,
        span,
        seed);
  }

  private static void range(String name, long value, long min, long max, List<String> faults) {
    if (value < min || value > max) {
      faults.add(name + ": " + value + " (expected: " + min + " to " + max + ")");
    }
  }
}
