package io.tollgate.cli;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.settlement.ResultReader;
import io.tollgate.settlement.ResultReader.PlaceConsumer;
import io.tollgate.settlement.ResultReader.SettledPlace;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the charges that settlement lines cover, and proves that they are the lines.
 *
 * <p>Of each event the newest revision counts that its line had counted. Rows of batches that came
 * after the lines were made are left out. Count and sum of each hour, bucket, source and currency
 * are compared with the lines; where they differ there is no file. Rows come and go one at a time:
 * memory holds one partition's sums.
 */
final class SettledExport {
  private static final int SHOWN = 20;
  private static final List<String> COLUMNS =
      List.of(
          "account",
          "event",
          "start_utc",
          "usage_hour",
          "type",
          "calling",
          "called",
          "usage",
          "charged_usage",
          "amount",
          "currency",
          "plan",
          "destination",
          "tariff_version",
          "revision",
          "source",
          "market");

  private final Partitions ledger;
  private final Lines lines;

  SettledExport(Partitions ledger, Lines lines) {
    this.ledger = ledger;
    this.lines = lines;
  }

  /** The ledger, a partition at a time: all revisions, by account, event and revision. */
  interface Partitions {
    Iterator<Charge> read(long usageHour, int bucket);
  }

  /** What is settled. */
  interface Lines {
    /** Hands on what is settled, by hour, bucket, source and currency. */
    void of(YearMonth month, PlaceConsumer<IOException> consumer) throws SQLException, IOException;

    /** Returns the batches with rows in an hour that its lines do not cover. */
    List<String> uncovered(long usageHour, String source) throws SQLException;

    static Lines of(ResultReader reader) {
      return new Lines() {
        @Override
        public void of(YearMonth month, PlaceConsumer<IOException> consumer)
            throws SQLException, IOException {
          reader.settledOf(month, consumer);
        }

        @Override
        public List<String> uncovered(long usageHour, String source) throws SQLException {
          return reader.uncoveredBatches(usageHour, source);
        }
      };
    }
  }

  /**
   * What was written.
   *
   * @param leftOut rows in settled partitions that no line covers
   * @param sums by currency
   */
  record Summary(long charges, long leftOut, Map<String, BigDecimal> sums) {}

  /**
   * Writes the file, under its name only once it is complete and right.
   *
   * @throws IllegalStateException naming where ledger and lines differ
   */
  Summary write(YearMonth month, Path target) throws SQLException, IOException {
    Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
    try {
      Summary summary;
      try (CsvWriter csv = CsvWriter.builder().build(unfinished, StandardCharsets.UTF_8)) {
        csv.writeRecord(COLUMNS);
        Writing writing = new Writing(csv);
        lines.of(month, writing::accept);
        summary = writing.finish();
      }
      Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
      return summary;
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /** The work on one file. */
  private final class Writing {
    private final CsvWriter csv;
    private final Map<String, BigDecimal> sums = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<SettledPlace> partition = new ArrayList<>();
    private final Map<String, Set<String>> uncovered = new HashMap<>();
    private long uncoveredOfHour = Long.MIN_VALUE;
    private long charges;
    private long leftOut;
    private long allFaults;

    private Writing(CsvWriter csv) {
      this.csv = csv;
    }

    private void accept(SettledPlace place) throws SQLException, IOException {
      if (!partition.isEmpty() && !isSamePartition(partition.get(0), place)) {
        writePartition();
      }
      partition.add(place);
    }

    private Summary finish() throws SQLException, IOException {
      if (!partition.isEmpty()) {
        writePartition();
      }
      if (allFaults > 0) {
        throw new IllegalStateException(
            "the ledger differs from the settled lines in "
                + allFaults
                + " places, so no file is written (expected: equal counts and sums; if charges are"
                + " still arriving, export again once their supplements are settled)\n  "
                + String.join("\n  ", faults)
                + (allFaults > faults.size() ? "\n  ..." : ""));
      }
      return new Summary(charges, leftOut, sums);
    }

    private void writePartition() throws SQLException, IOException {
      long usageHour = partition.get(0).usageHour();
      Map<String, Long> corrections = new HashMap<>();
      Map<String, String> markets = new HashMap<>();
      for (SettledPlace place : partition) {
        corrections.merge(place.source(), place.correction(), Math::max);
        markets.put(place.source(), place.market());
      }
      Map<String, Tally> found = new TreeMap<>();
      Iterator<Charge> rows = ledger.read(usageHour, partition.get(0).bucket());
      Charge first = rows.hasNext() ? rows.next() : null;
      while (first != null) {
        Charge newest = first;
        long counted = corrections.getOrDefault(first.origin().source(), 0L);
        Charge next = rows.hasNext() ? rows.next() : null;
        while (next != null && isSameEvent(first, next)) {
          newest = next.revision() <= counted ? next : newest;
          next = rows.hasNext() ? rows.next() : null;
        }
        writeIfCovered(first, newest, markets, found);
        first = next;
      }
      compare(found);
      partition.clear();
    }

    private void writeIfCovered(
        Charge first, Charge newest, Map<String, String> markets, Map<String, Tally> found)
        throws SQLException {
      String source = first.origin().source();
      String market = markets.get(source);
      if (market == null || uncovered(first.usageHour(), source).contains(first.origin().batch())) {
        leftOut++;
        return;
      }
      csv.writeRecord(record(newest, source, market));
      charges++;
      sums.merge(newest.rating().currency(), newest.rating().amount(), BigDecimal::add);
      found.merge(
          key(source, newest.rating().currency()),
          new Tally(1, newest.rating().amount()),
          Tally::plus);
    }

    private Set<String> uncovered(long usageHour, String source) throws SQLException {
      if (uncoveredOfHour != usageHour) {
        uncovered.clear();
        uncoveredOfHour = usageHour;
      }
      Set<String> batches = uncovered.get(source);
      if (batches == null) {
        batches = new HashSet<>(lines.uncovered(usageHour, source));
        uncovered.put(source, batches);
      }
      return batches;
    }

    private void compare(Map<String, Tally> found) {
      SettledPlace any = partition.get(0);
      for (SettledPlace place : partition) {
        Tally tally = found.remove(key(place.source(), place.currency()));
        fault(
            any,
            place.source() + ", " + place.currency(),
            tally == null ? Tally.NOTHING : tally,
            new Tally(place.charges(), place.amount()));
      }
      found.forEach((key, tally) -> fault(any, key.replace("\n", ", "), tally, Tally.NOTHING));
    }

    private void fault(SettledPlace place, String what, Tally ledgerHas, Tally linesSay) {
      if (ledgerHas.isSame(linesSay)) {
        return;
      }
      allFaults++;
      if (faults.size() < SHOWN) {
        faults.add(
            "hour "
                + UsageHours.text(place.usageHour())
                + ", bucket "
                + place.bucket()
                + ", source "
                + what
                + ": "
                + ledgerHas
                + " in the ledger (expected: "
                + linesSay
                + ")");
      }
    }
  }

  private static List<String> record(Charge charge, String source, @Nullable String market) {
    Cdr cdr = charge.cdr();
    Rating.Priced rating = charge.rating();
    return List.of(
        cdr.accountId(),
        cdr.eventId(),
        Instant.ofEpochMilli(cdr.startMillis()).toString(),
        UsageHours.text(charge.usageHour()),
        cdr.usageType().name(),
        cdr.calling(),
        cdr.called(),
        Long.toString(cdr.usage()),
        Long.toString(rating.chargedUsage()),
        rating.amount().toPlainString(),
        rating.currency(),
        rating.plan(),
        rating.destination(),
        Long.toString(rating.tariffVersion()),
        Long.toString(charge.revision()),
        source,
        market == null ? "" : market);
  }

  private static String key(String source, String currency) {
    return source + "\n" + currency;
  }

  private static boolean isSamePartition(SettledPlace one, SettledPlace other) {
    return one.usageHour() == other.usageHour() && one.bucket() == other.bucket();
  }

  private static boolean isSameEvent(Charge one, Charge other) {
    return one.cdr().accountId().equals(other.cdr().accountId())
        && one.cdr().eventId().equals(other.cdr().eventId());
  }

  private record Tally(long charges, BigDecimal amount) {
    private static final Tally NOTHING = new Tally(0, BigDecimal.ZERO);

    private Tally plus(Tally other) {
      return new Tally(charges + other.charges, amount.add(other.amount));
    }

    private boolean isSame(Tally other) {
      return charges == other.charges && amount.compareTo(other.amount) == 0;
    }

    @Override
    public String toString() {
      return charges + " charges of " + amount.toPlainString();
    }
  }
}
