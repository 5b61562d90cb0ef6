package io.tollgate.cli.demo;

import io.tollgate.cli.demo.ReferenceRating.Charged;
import io.tollgate.cli.demo.ReferenceRating.Place;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.rating.Rating;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.ReceiptTally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Compares what the job did with the reference: each record sent has exactly one outcome, the right
 * one, and the ledger holds exactly the distinct CDRs at their prices, row by row.
 *
 * @param differences what is wrong, each in a sentence; empty if nothing is
 * @param rows rows of the ledger
 */
public record Verdict(List<String> differences, long rows) {
  private static final int MOST_DIFFERENCES = 1_000;

  /** Returns whether nothing is wrong. */
  public boolean allRight() {
    return differences.isEmpty();
  }

  /** Compares. */
  public static Verdict of(
      ReferenceRating reference,
      List<ControlTotal> totals,
      ReceiptTally receipts,
      Iterator<Charge> ledger) {
    List<String> differences = new ArrayList<>();
    compareOutcomes(reference, totals, receipts, differences);
    long rows = compareRows(reference, ledger, differences);
    return new Verdict(
        differences.subList(0, Math.min(differences.size(), MOST_DIFFERENCES)), rows);
  }

  private static void compareOutcomes(
      ReferenceRating reference,
      List<ControlTotal> totals,
      ReceiptTally receipts,
      List<String> differences) {
    for (ControlTotal total : totals) {
      ReceiptTally.OfBatch batch = receipts.batch(total.source(), total.batch());
      if (batch == null) {
        if (total.records() > 0) {
          differences.add(named(total) + ": no receipts for " + total.records() + " records");
        }
      } else if (!batch.covers(total.records())) {
        differences.add(
            named(total)
                + ": outcomes of "
                + batch.outcomes()
                + " records (expected: one for each of "
                + total.records()
                + ")");
      }
    }
    Map<Place, Outcome> found = new HashMap<>();
    for (ReceiptTally.OfBatch batch : receipts.batches()) {
      batch
          .rated()
          .forEach(
              (int seq) -> found.put(new Place(batch.source(), batch.batch(), seq), Outcome.RATED));
      batch
          .unrated()
          .forEach(
              (seq, entry) ->
                  found.put(new Place(batch.source(), batch.batch(), seq), entry.outcome()));
    }
    reference
        .outcomes()
        .forEach(
            (place, expected) -> {
              Outcome outcome = found.remove(place);
              if (outcome != expected) {
                differences.add(place + ": " + outcome + " (expected: " + expected + ")");
              }
            });
    found.forEach(
        (place, outcome) -> differences.add(place + ": " + outcome + " (expected: never sent)"));
  }

  private static long compareRows(
      ReferenceRating reference, Iterator<Charge> ledger, List<String> differences) {
    Map<String, Charged> missing = new HashMap<>(reference.charges());
    long rows = 0;
    while (ledger.hasNext()) {
      Charge row = ledger.next();
      rows++;
      String identity = row.cdr().accountId() + ":" + row.cdr().eventId();
      Charged expected = missing.remove(identity);
      if (expected == null) {
        differences.add(
            "ledger row " + identity + ": " + row.rating().amount() + " (expected: none)");
      } else {
        compareRow(identity, row, expected, differences);
      }
    }
    missing.forEach(
        (identity, charged) ->
            differences.add(
                "ledger row "
                    + identity
                    + ": missing (expected: "
                    + charged.price().amount()
                    + " "
                    + charged.price().currency()
                    + ")"));
    return rows;
  }

  private static void compareRow(
      String identity, Charge row, Charged expected, List<String> differences) {
    if (!row.cdr().equals(expected.cdr()) || row.fingerprint() != expected.fingerprint()) {
      differences.add(
          "ledger row " + identity + ": " + row.cdr() + " (expected: " + expected.cdr() + ")");
    }
    Rating.Priced found = row.rating();
    Rating.Priced price = expected.price();
    // The amount's scale counts too: 1.5 and 1.50 are different answers of a price list.
    if (!found.equals(price)) {
      differences.add("ledger row " + identity + ": " + found + " (expected: " + price + ")");
    }
  }

  private static String named(ControlTotal total) {
    return "batch " + total.batch() + " of " + total.source() + " (" + total.file() + ")";
  }
}
