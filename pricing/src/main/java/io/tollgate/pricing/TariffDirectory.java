package io.tollgate.pricing;

import io.tollgate.domain.tariff.Assignment;
import io.tollgate.domain.tariff.HolidayCalendar;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.domain.tariff.TariffBook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a directory of tariff files and checks it: {@code plans/PLAN/plan.yaml}, {@code
 * plans/PLAN/rates.csv}, {@code calendars/NAME.csv}, {@code assignments.csv}, {@code golden.csv}.
 * All problems of all files are found in one go.
 */
public final class TariffDirectory {
  private final Path root;
  private final Problems problems = new Problems();
  private final Map<String, HolidayCalendar> calendars = new TreeMap<>();
  private final Map<String, PlanSettings> settings = new TreeMap<>();
  private final List<RatePlan> plans = new ArrayList<>();

  private TariffDirectory(Path root) {
    this.root = root;
  }

  /** Reads and checks the files below {@code root}; nothing about them is thrown. */
  public static TariffCheck read(Path root) {
    return new TariffDirectory(root).read();
  }

  private TariffCheck read() {
    if (!Files.isDirectory(root)) {
      problems.error(root.toString(), 0, 0, "directory", "", "a directory with plans/");
      return new TariffCheck(null, problems.sorted(), 0);
    }
    for (Path file : children(root.resolve("calendars"))) {
      String name = fileName(file);
      if (name.endsWith(".csv")) {
        String calendar = name.substring(0, name.length() - ".csv".length());
        calendars.put(calendar, CalendarFile.read(calendar, file, "calendars/" + name, problems));
      }
    }
    for (Path plan : children(root.resolve("plans"))) {
      if (Files.isDirectory(plan)) {
        readPlan(plan);
      }
    }
    if (settings.isEmpty() && !problems.hasErrors()) {
      problems.error("plans", 0, 0, "plans", "none", "a directory plans/NAME with plan.yaml");
    }
    List<Assignment> assignments = readAssignments();
    GoldenFile golden = new GoldenFile();
    if (Files.exists(root.resolve("golden.csv"))) {
      golden.read(root.resolve("golden.csv"), "golden.csv", problems);
    }
    TariffBook book = problems.hasErrors() ? null : book(assignments);
    int goldenCases = book == null ? 0 : golden.check(book, settings);
    return new TariffCheck(problems.hasErrors() ? null : book, problems.sorted(), goldenCases);
  }

  private void readPlan(Path directory) {
    String name = fileName(directory);
    String planFile = "plans/" + name + "/plan.yaml";
    String ratesFile = "plans/" + name + "/rates.csv";
    if (!Files.exists(directory.resolve("plan.yaml"))) {
      problems.error(planFile, 0, 0, "file", "not there", "a file plan.yaml");
      return;
    }
    String text = TextFile.read(directory.resolve("plan.yaml"), planFile, problems);
    PlanSettings plan =
        text == null ? null : new PlanFile(name, calendars.keySet()).read(text, planFile, problems);
    if (plan == null) {
      return;
    }
    settings.put(name, plan);
    if (!Files.exists(directory.resolve("rates.csv"))) {
      problems.error(ratesFile, 0, 0, "file", "not there", "a file rates.csv");
      return;
    }
    List<RatesFile.Placed> rows =
        new RatesFile(plan).read(directory.resolve("rates.csv"), ratesFile, problems);
    List<RatesFile.Placed> sorted =
        new RatesCheck(plan, ratesFile, problems).check(rows, calendars, planFile);
    plans.add(plan.plan(sorted.stream().map(RatesFile.Placed::row).toList()));
  }

  private List<Assignment> readAssignments() {
    Map<String, ZoneId> zones = new TreeMap<>();
    settings.forEach((name, plan) -> zones.put(name, plan.zone()));
    Path file = root.resolve("assignments.csv");
    if (!Files.exists(file)) {
      problems.error("assignments.csv", 0, 0, "file", "not there", "a file assignments.csv");
      return List.of();
    }
    return new AssignmentsFile(zones).read(file, "assignments.csv", problems);
  }

  private @Nullable TariffBook book(List<Assignment> assignments) {
    try {
      return new TariffBook(0, plans, List.copyOf(calendars.values()), assignments);
    } catch (IllegalArgumentException e) {
      problems.error(".", 0, 0, "book", String.valueOf(e.getMessage()), "prices without doubt");
      return null;
    }
  }

  private List<Path> children(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return children.filter(child -> !fileName(child).startsWith(".")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String fileName(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
