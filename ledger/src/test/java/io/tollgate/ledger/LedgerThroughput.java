package io.tollgate.ledger;

import com.sun.management.OperatingSystemMXBean;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.domain.ledger.Placement;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Measures the writer: rows a second, and CPU of client and server for each row, one by one and in
 * batches. Run by hand against a server that is up; read the figures of one run as proportions.
 *
 * <p>Arguments: host:port, rows for each round, process id of the server.
 */
final class LedgerThroughput {
  private static final int[] BATCH_ROWS = {1, 20, 50};
  private static final int ROUNDS = 3;
  private static final int MAX_IN_FLIGHT = 32;
  private static final Placement PLACEMENT = new Placement(16, Set.of());
  // Linux counts a process's CPU in hundredths of a second.
  private static final long NANOS_PER_TICK = 10_000_000;

  private LedgerThroughput() {}

  public static void main(String[] arguments) throws Exception {
    LedgerConnection connection =
        new LedgerConnection(
            List.of(arguments[0]),
            "datacenter1",
            "throughput",
            1,
            Duration.ofSeconds(10),
            null,
            null);
    int rows = Integer.parseInt(arguments[1]);
    Path serverStat = Path.of("/proc", arguments[2], "stat");
    try (LedgerSession session = LedgerSession.open(connection)) {
      LedgerSchema.create(session, PLACEMENT);
      List<Charge> charges = new ChargeGenerator(1, Duration.ofHours(2)).take(rows);
      write(session, charges, 50);
      for (int round = 1; round <= ROUNDS; round++) {
        for (int batchRows : BATCH_ROWS) {
          measure(session, charges, batchRows, serverStat);
        }
      }
    }
  }

  private static void measure(
      LedgerSession session, List<Charge> charges, int batchRows, Path serverStat)
      throws Exception {
    long clientBefore = clientCpuNanos();
    long serverBefore = serverCpuNanos(serverStat);
    long before = System.nanoTime();
    write(session, charges, batchRows);
    double nanos = System.nanoTime() - before;
    double clientMicros = (clientCpuNanos() - clientBefore) / 1e3 / charges.size();
    double serverMicros = (serverCpuNanos(serverStat) - serverBefore) / 1e3 / charges.size();
    System.out.printf(
        Locale.ROOT,
        "batch %2d: %,7.0f rows/s, client %.1f us/row, server %.1f us/row%n",
        batchRows,
        charges.size() / (nanos / 1e9),
        clientMicros,
        serverMicros);
  }

  private static void write(LedgerSession session, List<Charge> charges, int batchRows)
      throws InterruptedException {
    try (LedgerWriter writer =
        LedgerWriter.open(
            session,
            LedgerLayout.always(PLACEMENT),
            WriterSettings.of(MAX_IN_FLIGHT, batchRows),
            WriterMetrics.NONE)) {
      for (Charge charge : charges) {
        writer.add(charge);
      }
      writer.flush();
    }
  }

  private static long clientCpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static long serverCpuNanos(Path stat) throws Exception {
    String[] fields = Files.readString(stat).replaceFirst("^.*\\) ", "").split(" ", -1);
    // User and system time, fields 14 and 15 of proc(5).
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NANOS_PER_TICK;
  }
}
