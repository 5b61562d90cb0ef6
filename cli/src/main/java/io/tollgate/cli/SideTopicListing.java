package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tollgate.cli.SideTopic.Waiting;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.wire.Headers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints what waits on a side topic: counts by reason with examples, or every record as JSON. */
final class SideTopicListing {
  private static final int VALUE_CHARACTERS = 120;

  private final List<Waiting> waiting;

  SideTopicListing(List<Waiting> waiting) {
    this.waiting = waiting;
  }

  /** Prints a table by reason with the first {@code examples} of each. */
  void print(String what, int examples, PrintWriter out) {
    if (waiting.isEmpty()) {
      out.println("Nothing is " + what + ".");
      return;
    }
    out.println(waiting.size() + " records are " + what + ":");
    Map<Reason, List<Waiting>> byReason =
        waiting.stream()
            .collect(Collectors.groupingBy(Waiting::reason, TreeMap::new, Collectors.toList()));
    byReason.forEach(
        (reason, records) -> {
          out.printf("%n%s (%s): %d%n", reason, reason.outcome(), records.size());
          records.stream().limit(examples).forEach(record -> print(record, out));
          if (records.size() > examples) {
            out.println("  ... and " + (records.size() - examples) + " more (--json lists all)");
          }
        });
  }

  /** Prints one JSON object a line. */
  void printJson(PrintWriter out) throws IOException {
    JsonFactory json = new JsonFactory();
    for (Waiting each : waiting) {
      // Not closed: that would close the command's output.
      JsonGenerator line = json.createGenerator(out);
      write(each, line);
      line.flush();
      out.println();
    }
    out.flush();
  }

  private static void print(Waiting each, PrintWriter out) {
    Origin origin = each.record().origin();
    String place = each.record().extra().getOrDefault(Headers.PLACE, "");
    out.printf(
        "  %s batch %s record %d%s%n    %s%n",
        origin.source().isEmpty() ? "(no source)" : origin.source(),
        origin.batch(),
        origin.batchSeq(),
        place.isEmpty() ? "" : ", " + place,
        CdrRules.shown(each.record().detail(), 300));
    Cdr cdr = each.cdr();
    if (cdr != null) {
      out.printf(
          "    account %s, event %s, %s, to %s, start %s, usage %d%n",
          CdrRules.shown(cdr.accountId()),
          CdrRules.shown(cdr.eventId()),
          cdr.usageType(),
          CdrRules.shown(cdr.called()),
          shownStart(cdr),
          cdr.usage());
    }
  }

  private static String shownStart(Cdr cdr) {
    long millis = cdr.startMillis();
    return Math.abs(millis) > 1L << 53 ? millis + " ms" : Instant.ofEpochMilli(millis).toString();
  }

  private static void write(Waiting each, JsonGenerator json) throws IOException {
    Origin origin = each.record().origin();
    json.writeStartObject();
    json.writeStringField("key", each.key());
    json.writeStringField("outcome", each.reason().outcome().name());
    json.writeStringField("reason", each.reason().name());
    json.writeStringField("detail", each.record().detail());
    json.writeStringField("source", origin.source());
    json.writeStringField("batch", origin.batch());
    json.writeNumberField("batchSeq", origin.batchSeq());
    json.writeNumberField("partition", origin.partition());
    json.writeNumberField("offset", origin.offset());
    json.writeStringField("place", each.record().extra().getOrDefault(Headers.PLACE, ""));
    Cdr cdr = each.cdr();
    byte[] value = each.record().value();
    if (cdr != null) {
      json.writeStringField("accountId", cdr.accountId());
      json.writeStringField("eventId", cdr.eventId());
      json.writeStringField("usageType", cdr.usageType().name());
      json.writeStringField("called", cdr.called());
      json.writeNumberField("startMillis", cdr.startMillis());
      json.writeNumberField("usage", cdr.usage());
    } else if (value != null) {
      json.writeNumberField("valueBytes", value.length);
      json.writeStringField(
          "value", CdrRules.shown(new String(value, StandardCharsets.UTF_8), VALUE_CHARACTERS));
    }
    json.writeEndObject();
  }
}
