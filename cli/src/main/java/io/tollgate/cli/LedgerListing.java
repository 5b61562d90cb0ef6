package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** Prints charges as they come, as a table with sums or as one JSON object a line. */
final class LedgerListing {
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSxxx");
  private static final String ROW = "%-29s %-5s %-18s %-22s %14s %14s %14s %-4s %6s%s%n";
  private static final long MILLIS_PER_SECOND = 1000;

  private final PrintWriter out;

  LedgerListing(PrintWriter out) {
    this.out = out;
  }

  /** Prints a table, and then count and sum of each currency. */
  void print(String account, YearMonth month, Iterator<Charge> charges) {
    if (!charges.hasNext()) {
      out.printf("No charges of account %s in %s (UTC).%n", CdrRules.shown(account), month);
      return;
    }
    out.printf("Charges of account %s in %s (UTC):%n%n", CdrRules.shown(account), month);
    out.printf(
        ROW,
        "start",
        "type",
        "called",
        "destination",
        "usage",
        "charged",
        "amount",
        "",
        "tariff",
        "");
    Map<String, Sum> sums = new TreeMap<>();
    // checkError ends the work when the reader of a pipe has gone.
    while (charges.hasNext() && !out.checkError()) {
      Charge charge = charges.next();
      printRow(charge);
      sums.merge(charge.rating().currency(), new Sum(1, charge.rating().amount()), Sum::plus);
    }
    out.println();
    sums.forEach(
        (currency, sum) ->
            out.printf(
                "%,d %s, %s %s%n",
                sum.count(),
                sum.count() == 1 ? "charge" : "charges",
                sum.amount().toPlainString(),
                currency));
  }

  /** Prints one JSON object a line. Amounts are strings, because they are exact. */
  void printJson(Iterator<Charge> charges) throws IOException {
    JsonFactory json = new JsonFactory();
    while (charges.hasNext() && !out.checkError()) {
      // Not closed: that would close the command's output.
      JsonGenerator line = json.createGenerator(out);
      write(charges.next(), line);
      line.flush();
      out.println();
    }
    out.flush();
  }

  private void printRow(Charge charge) {
    Cdr cdr = charge.cdr();
    Rating.Priced rating = charge.rating();
    out.printf(
        ROW,
        start(cdr),
        cdr.usageType(),
        CdrRules.shown(cdr.called()),
        CdrRules.shown(rating.destination()),
        usage(cdr.usageType(), cdr.usage()),
        usage(cdr.usageType(), rating.chargedUsage()),
        rating.amount().toPlainString(),
        rating.currency(),
        rating.tariffVersion(),
        charge.revision() == 0 ? "" : "  corrected, revision " + charge.revision());
  }

  private static String start(Cdr cdr) {
    return START.format(
        Instant.ofEpochMilli(cdr.startMillis())
            .atOffset(ZoneOffset.ofTotalSeconds(cdr.utcOffsetSeconds())));
  }

  /** Calls as seconds, the rest in the unit of its type. */
  private static String usage(UsageType type, long usage) {
    return switch (type) {
      case VOICE ->
          usage % MILLIS_PER_SECOND == 0
              ? usage / MILLIS_PER_SECOND + " s"
              : BigDecimal.valueOf(usage, 3).toPlainString() + " s";
      case DATA -> usage + " B";
      case SMS, MMS, EVENT -> Long.toString(usage);
    };
  }

  private static void write(Charge charge, JsonGenerator json) throws IOException {
    Cdr cdr = charge.cdr();
    Rating.Priced rating = charge.rating();
    json.writeStartObject();
    json.writeStringField("accountId", cdr.accountId());
    json.writeStringField("eventId", cdr.eventId());
    json.writeNumberField("revision", charge.revision());
    json.writeStringField("start", Instant.ofEpochMilli(cdr.startMillis()).toString());
    json.writeNumberField("utcOffsetSeconds", cdr.utcOffsetSeconds());
    json.writeStringField("usageType", cdr.usageType().name());
    json.writeStringField("calling", cdr.calling());
    json.writeStringField("called", cdr.called());
    json.writeStringField("cause", cdr.cause());
    json.writeNumberField("usage", cdr.usage());
    json.writeNumberField("chargedUsage", rating.chargedUsage());
    json.writeStringField("amount", rating.amount().toPlainString());
    json.writeStringField("currency", rating.currency());
    json.writeStringField("unroundedAmount", rating.unroundedAmount().toPlainString());
    json.writeStringField("plan", rating.plan());
    json.writeNumberField("tariffVersion", rating.tariffVersion());
    json.writeStringField("prefix", rating.prefix());
    json.writeStringField("destination", rating.destination());
    writeSteps(rating, json);
    json.writeBooleanField("late", charge.late());
    json.writeStringField("source", charge.origin().source());
    json.writeStringField("batch", charge.origin().batch());
    json.writeNumberField("batchSeq", charge.origin().batchSeq());
    json.writeStringField("fingerprint", String.format("%016x", charge.fingerprint()));
    json.writeEndObject();
  }

  private static void writeSteps(Rating.Priced rating, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("steps");
    for (Rating.Step step : rating.steps()) {
      json.writeStartObject();
      json.writeStringField("what", step.what());
      json.writeNumberField("usage", step.usage());
      json.writeStringField("rate", step.rate().toPlainString());
      json.writeNumberField("per", step.per());
      json.writeStringField("amount", step.amount().toPlainString());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Charges of one currency. */
  private record Sum(long count, BigDecimal amount) {

    private Sum plus(Sum other) {
      return new Sum(count + other.count, amount.add(other.amount));
    }
  }
}
