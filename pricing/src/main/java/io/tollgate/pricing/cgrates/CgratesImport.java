package io.tollgate.pricing.cgrates;

import io.tollgate.pricing.Problem;
import io.tollgate.pricing.TariffCheck;
import io.tollgate.pricing.TariffDirectory;
import io.tollgate.pricing.cgrates.Finding.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns a directory of CGRateS tariff plan files into a directory of ours that prices like them,
 * and tells what it could not. Either all of it is written or nothing.
 *
 * <table>
 *   <caption>What becomes of the files</caption>
 *   <tr><th>file</th><th>becomes</th></tr>
 *   <tr><td>Timings</td><td>bands, each until midnight; the weight is the priority, and among equal
 *       weights the band that began last holds</td></tr>
 *   <tr><td>Destinations</td><td>a line of rates.csv for each prefix; {@code *any} is {@code *}</td></tr>
 *   <tr><td>Rates</td><td>steps; the increment for the first as for further ones</td></tr>
 *   <tr><td>DestinationRates</td><td>maximum with {@code cap}; the rounding of the plan</td></tr>
 *   <tr><td>RatingPlans, RatingProfiles</td><td>plans and assignments, see {@link BookMapper}</td></tr>
 * </table>
 */
public final class CgratesImport {
  private static final Set<String> FILES =
      Arrays.stream(CgratesFile.values())
          .map(file -> file.fileName)
          .collect(Collectors.toUnmodifiableSet());

  private final Path directory;
  private final ImportSettings settings;
  private final Findings findings = new Findings();

  private CgratesImport(Path directory, ImportSettings settings) {
    this.directory = directory;
    this.settings = settings;
  }

  /**
   * Imports {@code directory} into {@code out}, which must not be there or be empty.
   *
   * @throws IllegalArgumentException if {@code out} has something in it
   */
  public static ImportReport run(Path directory, Path out, ImportSettings settings) {
    if (!isFree(out)) {
      throw new IllegalArgumentException(out + ": not empty (expected: a new directory)");
    }
    return new CgratesImport(directory, settings).run(out);
  }

  private ImportReport run(Path out) {
    if (!Files.isDirectory(directory)) {
      findings.add(
          new Finding(
              Kind.FAULT,
              directory.toString(),
              0,
              0,
              "directory",
              "",
              "expected: a directory with RatingProfiles.csv"));
      return unreadable();
    }
    TariffPlan plan = new TariffPlanReader(directory, settings.zone(), findings).read();
    boolean isTenantThere =
        settings.tenant().isEmpty()
            || plan.profiles().stream()
                .anyMatch(profile -> profile.tenant().equals(settings.tenant().get()));
    if (!isTenantThere && !findings.hasFaults()) {
      findings.add(
          new Finding(
              Kind.FAULT,
              CgratesFile.RATING_PROFILES.fileName,
              0,
              1,
              "Tenant",
              settings.tenant().orElseThrow(),
              "expected: a tenant that has profiles"));
    }
    noteOtherFiles();
    if (findings.hasFaults()) {
      return unreadable();
    }
    List<MappedPlan> plans = new BookMapper(plan, settings).map();
    if (plans.isEmpty()) {
      findings.add(
          new Finding(
              Kind.FAULT,
              CgratesFile.RATING_PROFILES.fileName,
              0,
              0,
              "rows",
              "",
              "expected: a profile that can be expressed"));
      return unreadable();
    }
    write(plans, out);
    if (findings.hasFaults()) {
      return unreadable();
    }
    return new ImportReport(
        findings.sorted(),
        plans.size(),
        plans.stream().mapToInt(mapped -> mapped.rates().size()).sum(),
        plans.stream().mapToInt(mapped -> mapped.accounts().size()).sum());
  }

  private ImportReport unreadable() {
    return new ImportReport(findings.sorted(), 0, 0, 0);
  }

  private void noteOtherFiles() {
    try (Stream<Path> children = Files.list(directory)) {
      children
          .map(child -> Objects.toString(child.getFileName(), ""))
          .filter(name -> !FILES.contains(name))
          .forEach(
              name ->
                  findings.add(
                      new Finding(Kind.NOTE, name, 0, 0, "file", "", "not read: none of the six")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ------------------------------------------------------------------ all or nothing

  private static boolean isFree(Path out) {
    if (!Files.exists(out)) {
      return true;
    }
    if (!Files.isDirectory(out)) {
      return false;
    }
    try (Stream<Path> children = Files.list(out)) {
      return children.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(List<MappedPlan> plans, Path out) {
    Path target = out.toAbsolutePath().normalize();
    Path parent = Objects.requireNonNull(target.getParent(), "a directory has a parent");
    Path partial = parent.resolve("." + target.getFileName() + ".partial");
    try {
      Files.createDirectories(parent);
      delete(partial);
      try {
        new BookWriter(settings).write(plans, partial);
        if (isAccepted(partial)) {
          Files.deleteIfExists(target);
          Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        }
      } finally {
        delete(partial);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + out, e);
    }
  }

  /** Asks the judge of all tariff files; an error here is a gap in the import itself. */
  private boolean isAccepted(Path book) {
    TariffCheck check = TariffDirectory.read(book);
    for (Problem error : check.errors()) {
      findings.add(
          new Finding(
              Kind.FAULT,
              error.file(),
              error.line(),
              error.column(),
              error.field(),
              error.value(),
              "the imported files would be refused; " + error.rule()));
    }
    return check.errors().isEmpty();
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
