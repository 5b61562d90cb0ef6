package io.tollgate.ingest.generate;

import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts what a load consists of and what must become of it. */
public final class LoadSummary {
  private final GeneratorSettings settings;
  private final Function<Kind, @Nullable Reason> reasonOf;
  private final Map<Kind, Long> byKind = new EnumMap<>(Kind.class);
  private long late;
  private long usageOfRatedMillis;

  private LoadSummary(GeneratorSettings settings, Function<Kind, @Nullable Reason> reasonOf) {
    this.settings = settings;
    this.reasonOf = reasonOf;
  }

  /** Returns an empty summary of a load that goes straight to Kafka. */
  public static LoadSummary toKafka(GeneratorSettings settings) {
    return new LoadSummary(settings, Kind::reasonInKafka);
  }

  /** Returns an empty summary of a load that goes to files. */
  public static LoadSummary toFiles(GeneratorSettings settings) {
    return new LoadSummary(settings, Kind::reasonInFile);
  }

  /** Counts a record. */
  public void add(GeneratedRecord generated) {
    byKind.merge(generated.kind(), 1L, Long::sum);
    if (generated.late()) {
      late++;
    }
    if (generated.kind() == Kind.FRESH) {
      usageOfRatedMillis += generated.cdr().usage();
    }
  }

  /** Returns how many records must have an outcome. */
  public long expected(Outcome outcome) {
    return byKind.entrySet().stream()
        .filter(entry -> entry.getKey().outcome() == outcome)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns how many records must be left unrated for a reason. */
  public long expected(Reason reason) {
    return byKind.entrySet().stream()
        .filter(entry -> reasonOf.apply(entry.getKey()) == reason)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns the number of records counted. */
  public long records() {
    return byKind.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how many of them lie hours or days before their neighbours. */
  public long late() {
    return late;
  }

  /** Returns the summary as one JSON object. */
  public String toJson() {
    StringJoiner outcomes = new StringJoiner(", ", "{", "}");
    for (Outcome outcome : Outcome.values()) {
      outcomes.add(quoted(outcome.name()) + ": " + expected(outcome));
    }
    StringJoiner reasons = new StringJoiner(", ", "{", "}");
    for (Reason reason : Reason.values()) {
      long count = expected(reason);
      if (count > 0) {
        reasons.add(quoted(reason.name()) + ": " + count);
      }
    }
    StringJoiner kinds = new StringJoiner(", ", "{", "}");
    byKind.forEach((kind, count) -> kinds.add(quoted(kind.name()) + ": " + count));
    return "{\"records\": "
        + records()
        + ", \"seed\": "
        + settings.seed()
        + ", \"accounts\": "
        + settings.accounts()
        + ", \"late\": "
        + late
        + ", \"usageOfRatedMillis\": "
        + usageOfRatedMillis
        + ",\n \"outcomes\": "
        + outcomes
        + ",\n \"reasons\": "
        + reasons
        + ",\n \"kinds\": "
        + kinds
        + "}";
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }
}
