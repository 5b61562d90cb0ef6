package io.tollgate.cli.demo;

import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.ReceiptTally;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The table that the demo ends with. */
public final class OutcomeTable {
  private final PrintWriter out;

  /** Creates the table. */
  public OutcomeTable(PrintWriter out) {
    this.out = out;
  }

  /**
   * Prints outcomes by file, in the order of the control totals.
   *
   * @param formatBySource format of the files of each source
   */
  public void files(
      List<ControlTotal> totals, Map<String, String> formatBySource, ReceiptTally receipts) {
    out.printf(
        "%-44s %-16s %7s %6s %9s %8s %9s %8s%n",
        "file", "format", "records", "rated", "duplicate", "conflict", "suspended", "rejected");
    Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
    long records = 0;
    for (ControlTotal total : totals) {
      ReceiptTally.OfBatch batch = receipts.batch(total.source(), total.batch());
      Map<Outcome, Long> counts = batch == null ? Map.of() : batch.byOutcome();
      line(
          total.source() + "  " + total.file(),
          formatBySource.getOrDefault(total.source(), ""),
          total.records(),
          counts);
      counts.forEach((outcome, count) -> sums.merge(outcome, count, Long::sum));
      records += total.records();
    }
    line("all", "", records, sums);
  }

  /** Prints why records were not rated, with an example of each reason. */
  public void reasons(ReceiptTally receipts, Map<Reason, String> examples) {
    Map<Reason, Long> counts = new EnumMap<>(Reason.class);
    receipts
        .batches()
        .forEach(
            batch ->
                batch
                    .byReason()
                    .forEach((reason, count) -> counts.merge(reason, count, Long::sum)));
    out.println();
    out.println("Not rated:");
    counts.forEach(
        (reason, count) -> {
          String example = examples.getOrDefault(reason, "");
          out.printf(
              "  %-10s %-18s %4d%s%n",
              reason.outcome(), reason, count, example.isEmpty() ? "" : "  e.g. " + example);
        });
  }

  /** Prints the sums of the ledger by account and currency. */
  public void accounts(Iterator<Charge> ledger) {
    Map<String, Sum> sums = new TreeMap<>();
    while (ledger.hasNext()) {
      Charge charge = ledger.next();
      sums.computeIfAbsent(
              charge.cdr().accountId() + "\t" + charge.rating().currency(), key -> new Sum())
          .add(charge.rating().amount());
    }
    out.println();
    out.printf("%-24s %8s %18s%n", "account", "charges", "amount");
    sums.forEach(
        (key, sum) -> {
          String[] accountAndCurrency = key.split("\t", 2);
          out.printf(
              "%-24s %8d %14s %s%n",
              accountAndCurrency[0], sum.count, sum.amount.toPlainString(), accountAndCurrency[1]);
        });
  }

  private void line(String file, String format, long records, Map<Outcome, Long> counts) {
    out.printf(
        Locale.ROOT,
        "%-44s %-16s %7d %6d %9d %8d %9d %8d%n",
        file,
        format,
        records,
        counts.getOrDefault(Outcome.RATED, 0L),
        counts.getOrDefault(Outcome.DUPLICATE, 0L),
        counts.getOrDefault(Outcome.CONFLICT, 0L),
        counts.getOrDefault(Outcome.SUSPENDED, 0L),
        counts.getOrDefault(Outcome.REJECTED, 0L));
  }

  private static final class Sum {
    private long count;
    private BigDecimal amount = BigDecimal.ZERO;

    void add(BigDecimal more) {
      count++;
      amount = amount.add(more);
    }
  }
}
