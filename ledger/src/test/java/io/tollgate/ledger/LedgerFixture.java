package io.tollgate.ledger;

import io.tollgate.domain.ledger.Charge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What tests do with a ledger again and again. */
final class LedgerFixture {
  private static final ReadLimit LIMIT = ReadLimit.of(Duration.ofSeconds(30));

  private LedgerFixture() {}

  static LedgerReader reader(LedgerSession session) {
    return new LedgerReader(session, CassandraExtension.LAYOUT, LIMIT);
  }

  static LedgerWriter writer(LedgerSession session) throws InterruptedException {
    return LedgerWriter.open(
        session, CassandraExtension.LAYOUT, WriterSettings.of(8, 20), WriterMetrics.NONE);
  }

  static void write(LedgerSession session, List<Charge> charges) throws InterruptedException {
    try (LedgerWriter writer = writer(session)) {
      addAll(writer, charges);
      writer.flush();
    }
  }

  static void addAll(LedgerWriter writer, List<Charge> charges) throws InterruptedException {
    for (Charge charge : charges) {
      writer.add(charge);
    }
  }

  static List<Charge> read(Iterator<Charge> charges) {
    List<Charge> read = new ArrayList<>();
    charges.forEachRemaining(read::add);
    return read;
  }

  static List<Charge> otherAmounts(List<Charge> charges) {
    return charges.stream().map(charge -> ChargeGenerator.withAmount(charge, "999.99")).toList();
  }
}
