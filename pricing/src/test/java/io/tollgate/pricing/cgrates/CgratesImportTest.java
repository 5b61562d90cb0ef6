package io.tollgate.pricing.cgrates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.tariff.RatePlan;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.pricing.TariffCheck;
import io.tollgate.pricing.TariffDirectory;
import io.tollgate.pricing.cgrates.Finding.Kind;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgratesImportTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ImportSettings SETTINGS =
      new ImportSettings("EUR", BERLIN, true, Optional.empty());

  @TempDir private Path folder;
  private Path out;

  @BeforeEach
  void setUp() {
    out = folder.resolve("out");
  }

  /**
   * Peak 0.12 for the first minute and 0.06 a minute by the second after it, fee 0.05; off-peak
   * 0.031 a minute by the second; mobile 0.20 a minute by half minutes, fee 0.10, at most 1.50.
   * Everything is rounded up to four decimals.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 s at night: 0.031 / 60           | x     | VOICE | +4930 | 2024-06-05T03:00:00 | 1   |"
            + " 0.0006",
        "fee, minute, 1 s                   | x     | VOICE | +4930 | 2024-06-05T10:00:00 | 61  |"
            + " 0.1710",
        "0.05 + 0.12 + 30 s, 110 s evening  | x     | VOICE | +4930 | 2024-06-05T18:58:30 | 200 |"
            + " 0.2569",
        "night until 8: 60 s, then peak     | x     | VOICE | +4930 | 2024-06-05T07:59:00 | 90  |"
            + " 0.0610",
        "Saturday: 60 s                     | x     | VOICE | +4930 | 2024-06-08T10:00:00 | 60  |"
            + " 0.0310",
        "Sunday, written 0: 60 s            | x     | VOICE | +4930 | 2024-06-09T10:00:00 | 60  |"
            + " 0.0310",
        "New Year, a Monday, weighs more    | x     | VOICE | +4930 | 2024-01-01T10:00:00 | 61  |"
            + " 0.0200",
        "fee, three half minutes            | x     | VOICE | +4915 | 2024-06-05T10:00:00 | 61  |"
            + " 0.4000",
        "free after 1.50                    | x     | VOICE | +4917 | 2024-06-05T10:00:00 | 600 |"
            + " 1.5000",
        "no *any in the plan                | x     | VOICE | +8130 | 2024-06-05T10:00:00 | 60  |"
            + " NO_DESTINATION",
        "before the activation              | x     | VOICE | +4930 | 2013-12-31T10:00:00 | 60  |"
            + " NO_PRICE_AT_START",
        "two messages                       | x     | SMS   | +8130 | 2024-06-05T10:00:00 | 2   |"
            + " 0.1400",
        "own +44 before the other's +4420    | carol | VOICE | +4420 | 2024-06-05T10:00:00 | 61  |"
            + " 0.8000",
        "fallback subject                   | carol | VOICE | +3312 | 2024-06-05T10:00:00 | 61  |"
            + " 0.6000",
        "*any of the fallback subject       | carol | VOICE | +8130 | 2024-06-05T10:00:00 | 61  |"
            + " 2.2000",
        "before the fallback's activation   | carol | VOICE | +3312 | 2019-06-05T10:00:00 | 61  |"
            + " NO_PRICE_AT_START",
        "no own profile of the category     | carol | SMS   | +8130 | 2024-06-05T10:00:00 | 1   |"
            + " 0.0700",
        "another plan after the first minute| dave  | VOICE | +4930 | 2024-06-03T12:00:00 | 180 |"
            + " 0.2320",
        "half a minute begun before it       | dave  | VOICE | +4915 | 2024-06-03T12:00:59 | 60  |"
            + " 0.2155",
        "a prefix that is there no longer   | dave  | VOICE | +4915 | 2024-06-03T12:01:00 | 60  |"
            + " 0.0310",
      })
  void shouldPriceAsCalculatedByHand(
      String why,
      String account,
      UsageType type,
      String called,
      String start,
      long usage,
      String expected)
      throws Exception {
    ImportReport report = CgratesImport.run(sample("good"), out, SETTINGS);
    assertThat(report.findings()).isEmpty();
    assertThat(report.isComplete()).isTrue();
    Rating rating = book().rate(cdr(account, type, called + "12345", start, usage));
    assertThat(shown(rating)).as(why).isEqualTo(expected);
  }

  @Test
  void shouldGivePlansThatAreValidAndSharedByAccountsWithTheSamePrices() throws Exception {
    ImportReport report = CgratesImport.run(sample("good"), out, SETTINGS);
    TariffCheck check = TariffDirectory.read(out);
    assertThat(check.problems()).isEmpty();
    assertThat(book().plans().stream().map(RatePlan::name))
        .containsExactlyInAnyOrder(
            "RETAIL+SMS", "BRITAIN+FRANCE+SMS", "RETAIL+FLAT+SMS", "FRANCE+SMS");
    assertThat(Files.readString(out.resolve("assignments.csv")))
        .isEqualTo(
            """
            account,plan
            *,RETAIL+SMS
            erin,RETAIL+SMS
            carol,BRITAIN+FRANCE+SMS
            dave,RETAIL+FLAT+SMS
            world,FRANCE+SMS
            """);
    assertThat(report.plans()).isEqualTo(4);
    assertThat(report.assignments()).isEqualTo(5);
    assertThat(report.rates())
        .isEqualTo(book().plans().stream().mapToInt(plan -> plan.rates().size()).sum());
  }

  @Test
  void shouldListEverythingThatCannotBeExpressedAndWriteTheRest() throws Exception {
    ImportReport report = CgratesImport.run(sample("partial"), out, SETTINGS);
    assertThat(report.isUnreadable()).isFalse();
    assertThat(report.isComplete()).isFalse();
    assertThat(lines(report)).containsExactlyElementsOf(expected("partial"));
    assertThat(TariffDirectory.read(out).errors()).isEmpty();
    // +49 by DR at 08:00 with weight 10 and by DR2 always with 5.5: a minute of each.
    assertThat(shown(book().rate(cdr("x", UsageType.VOICE, "+491", "2024-06-05T09:00:00", 60))))
        .isEqualTo("0.6000");
    assertThat(shown(book().rate(cdr("x", UsageType.VOICE, "+491", "2024-06-05T07:00:00", 60))))
        .isEqualTo("0.7000");
    assertThat(shown(book().rate(cdr("x", UsageType.VOICE, "+881", "2024-06-05T09:00:00", 60))))
        .isEqualTo("NO_DESTINATION");
  }

  /** A left-out price is not always suspended: what comes instead is said, and is what happens. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BAD,CZ,TINY  | DE,DE,R1;ANY,*any,R2 | 3:3 | +420, +421 the price of *any,"
            + " DestinationRates.csv:2 | +420 | 0.7000",
        "BAD,CZ,TINY  | DE,DE,R1;EU,EU,R2    | 3:3 | +420, +421 the price of +4,"
            + " DestinationRates.csv:2 | +421 | 0.7000",
        "BAD,CZ,TINY  | DE,DE,R1;CZ,CZ,R2    | 3:3 | +420, +421 only its prices of"
            + " DestinationRates.csv:2 | +421 | 0.7000",
        "BAD,CZ,TINY  | DE,DE,R1             | 2:3 | +420, +421 no price, unless a fallback"
            + " subject has one | +420 | NO_DESTINATION",
        "BAD,*any,TINY | DE,DE,R1            | 2:3 | all other numbers no price, unless a fallback"
            + " subject has one | +420 | NO_DESTINATION",
        "BAD,MANY,TINY | ANY,*any,R2         | 2:3 | +31, +32, +33 and 1 more the price of *any,"
            + " DestinationRates.csv:1 | +34 | 0.7000",
      })
  void shouldSayWhatPricesANumberWhoseOwnRateIsLeftOut(
      String bad, String others, String place, String instead, String called, String expected)
      throws Exception {
    Path files = copy("good");
    Files.writeString(files.resolve("Timings.csv"), "");
    Files.writeString(
        files.resolve("Destinations.csv"),
        "DE,49\nEU,4\nCZ,420\nCZ,421\nMANY,31\nMANY,32\nMANY,33\nMANY,34\n");
    Files.writeString(
        files.resolve("Rates.csv"),
        "R1,0,0.5,60s,60s,0s\nR2,0,0.7,60s,60s,0s\nTINY,0,0.0000000000000000000001,60s,60s,0s\n");
    StringBuilder rates = new StringBuilder();
    StringBuilder plans = new StringBuilder();
    for (String rate : (others + ";" + bad).split(";", -1)) {
      rates.append(rate.strip()).append(",*middle,4,0,\n");
      plans.append("P,").append(rate.strip(), 0, rate.strip().indexOf(',')).append(",*any,10\n");
    }
    Files.writeString(files.resolve("DestinationRates.csv"), rates);
    Files.writeString(files.resolve("RatingPlans.csv"), plans);
    Files.writeString(files.resolve("RatingProfiles.csv"), "t,call,*any,2014-01-01T00:00:00Z,P,\n");
    assertThat(lines(CgratesImport.run(files, out, SETTINGS)))
        .contains(
            "DestinationRates.csv:"
                + place
                + ": not expressed: RatesTag: TINY (left out: this rate cannot be expressed, see"
                + " Rates.csv; so P has for "
                + instead
                + ")");
    assertThat(shown(book().rate(cdr("x", UsageType.VOICE, called, "2024-06-05T10:00:00", 60))))
        .isEqualTo(expected);
  }

  @Test
  void shouldFindTheFaultsOfAllFilesAtOnceAndWriteNothing() throws Exception {
    ImportReport report = CgratesImport.run(sample("faulty"), out, SETTINGS);
    assertThat(report.isUnreadable()).isTrue();
    assertThat(lines(report)).containsExactlyElementsOf(expected("faulty"));
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void shouldRefuseFilesThatSayNothingOrLoseTheirQuotes() throws Exception {
    Path files = copy("good");
    Files.writeString(files.resolve("RatingPlans.csv"), "");
    Files.writeString(files.resolve("Rates.csv"), "R,0,\"1,60s,60s,0s\n");
    ImportReport report = CgratesImport.run(files, out, SETTINGS);
    assertThat(report.isUnreadable()).isTrue();
    assertThat(lines(report))
        .anyMatch(line -> line.startsWith("Rates.csv: fault: CSV: "))
        .anyMatch(line -> line.startsWith("RatingProfiles.csv:2:5: fault: RatingPlanId: RETAIL"));

    files = copy("good");
    Files.writeString(files.resolve("RatingProfiles.csv"), "# nobody\n");
    assertThat(lines(CgratesImport.run(files, out, SETTINGS)))
        .containsExactly(
            "RatingProfiles.csv: fault: rows: none (expected: a profile; without one nobody has a"
                + " plan)");
    assertThat(out).doesNotExist();
  }

  @Test
  void shouldNameFilesThatAreNotThereOrNotText() throws Exception {
    Path files = copy("good");
    Files.delete(files.resolve("DestinationRates.csv"));
    Files.write(files.resolve("Rates.csv"), new byte[] {'R', ',', (byte) 0xe4});
    assertThat(lines(CgratesImport.run(files, out, SETTINGS)))
        .contains(
            "DestinationRates.csv: fault: file: not there (expected: a file DestinationRates.csv)",
            "Rates.csv:1: fault: encoding: byte 0xe4 (expected: UTF-8; save as 'CSV UTF-8')");
    assertThat(lines(CgratesImport.run(folder.resolve("none"), out, SETTINGS)))
        .singleElement()
        .asString()
        .contains("fault: directory");
  }

  @Test
  void shouldReadLineEndsByteOrderMarksQuotesAndBlanksOfAnyKind() throws Exception {
    CgratesImport.run(sample("good"), out, SETTINGS);
    String digest = book().digest();
    Path files = copy("good");
    try (Stream<Path> children = Files.list(files)) {
      for (Path file : children.toList()) {
        String text = Files.readString(file).replace("\uFEFF", "").replace("\r\n", "\n");
        String odd =
            text.lines()
                .map(line -> line.startsWith("#") || line.isBlank() ? " " + line : quoted(line))
                .collect(Collectors.joining("\r\n", "\uFEFF# \"open\r\n\r\n", "\r\n ,\r\n"));
        Files.writeString(file, odd);
      }
    }
    out = folder.resolve("odd");
    assertThat(CgratesImport.run(files, out, SETTINGS).findings()).isEmpty();
    assertThat(book().digest()).isEqualTo(digest);
  }

  @Test
  void shouldCompareLiteralPrefixesAsTheyStand() throws Exception {
    ImportSettings literal = new ImportSettings("EUR", BERLIN, false, Optional.empty());
    assertThat(CgratesImport.run(sample("good"), out, literal).findings()).isEmpty();
    TariffBook book = book();
    assertThat(shown(book.rate(cdr("x", UsageType.VOICE, "4930", "2024-06-05T10:00:00", 61))))
        .isEqualTo("0.1710");
    assertThat(shown(book.rate(cdr("x", UsageType.VOICE, "+4930", "2024-06-05T10:00:00", 61))))
        .isEqualTo("NO_DESTINATION");
  }

  @Test
  void shouldImportTheTenantThatIsAskedFor() throws Exception {
    ImportSettings second = new ImportSettings("EUR", BERLIN, true, Optional.of("two.example"));
    ImportReport report = CgratesImport.run(sample("partial"), out, second);
    assertThat(report.assignments()).isEqualTo(1);
    assertThat(lines(report))
        .filteredOn(line -> line.contains("accounts have no tenant"))
        .hasSize(6);

    ImportSettings nobody = new ImportSettings("EUR", BERLIN, true, Optional.of("three.example"));
    Path other = folder.resolve("other");
    assertThat(lines(CgratesImport.run(sample("partial"), other, nobody)))
        .anyMatch(line -> line.contains("Tenant: three.example (expected: a tenant that has"));
    assertThat(other).doesNotExist();
  }

  @Test
  void shouldWriteIntoAnEmptyDirectoryAndRefuseAnother() throws Exception {
    Files.createDirectories(out);
    assertThat(CgratesImport.run(sample("good"), out, SETTINGS).plans()).isEqualTo(4);
    String before = Files.readString(out.resolve("assignments.csv"));

    assertThatThrownBy(() -> CgratesImport.run(sample("partial"), out, SETTINGS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not empty");
    assertThat(Files.readString(out.resolve("assignments.csv"))).isEqualTo(before);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(out);
    }
  }

  @Test
  void shouldKeepTheOrderOfWeightsThatAreNoWholeNumbers() throws Exception {
    Path files = copy("good");
    Path plans = files.resolve("RatingPlans.csv");
    Files.writeString(
        plans,
        Files.readString(plans)
            .replaceAll("(PEAK|EVENING|NIGHT|WEEKEND),10", "$1,0.25")
            .replace("NEW_YEAR,20", "NEW_YEAR,0.5"));
    assertThat(CgratesImport.run(files, out, SETTINGS).findings()).isEmpty();
    assertThat(shown(book().rate(cdr("x", UsageType.VOICE, "+4930", "2024-01-01T10:00:00", 61))))
        .isEqualTo("0.0200");
    assertThat(shown(book().rate(cdr("x", UsageType.VOICE, "+4930", "2024-06-05T10:00:00", 61))))
        .isEqualTo("0.1710");
  }

  @Test
  void shouldSayWhichBandsAreTooMany() throws Exception {
    Path files = copy("good");
    StringBuilder timings = new StringBuilder(Files.readString(files.resolve("Timings.csv")));
    StringBuilder plans = new StringBuilder(Files.readString(files.resolve("RatingPlans.csv")));
    for (int minute = 1; minute <= 59; minute++) {
      String tag = String.format("T%02d", minute);
      timings.append(tag + ",*any,*any,*any,*any,20:" + tag.substring(1) + ":00\n");
      plans.append("RETAIL,DR_OFF," + tag + ",5\n");
    }
    Files.writeString(files.resolve("Timings.csv"), timings);
    Files.writeString(files.resolve("RatingPlans.csv"), plans);
    ImportReport report = CgratesImport.run(files, out, SETTINGS);
    assertThat(report.count(Kind.NOT_EXPRESSED)).isPositive();
    assertThat(lines(report))
        .allMatch(line -> line.contains("a plan has at most 63 bands"))
        .anyMatch(line -> line.contains("left out in timing T59"));
    assertThat(TariffDirectory.read(out).errors()).isEmpty();
  }

  private static String quoted(String line) {
    return Stream.of(line.split(",", -1))
        .map(field -> field.isEmpty() ? field : " \"" + field + "\" ")
        .collect(Collectors.joining(","));
  }

  private static List<String> lines(ImportReport report) {
    return report.findings().stream().map(Finding::toString).toList();
  }

  private static List<String> expected(String sample) throws Exception {
    return Files.readAllLines(sample(sample).resolveSibling(sample + "-findings.txt"));
  }

  private TariffBook book() {
    return TariffDirectory.read(out).book().orElseThrow();
  }

  private static Cdr cdr(String account, UsageType type, String called, String start, long usage) {
    return new Cdr(
        "switch/1",
        account,
        type,
        "",
        called,
        LocalDateTime.parse(start).atZone(BERLIN).toInstant().toEpochMilli(),
        0,
        type == UsageType.VOICE ? usage * 1000 : usage,
        "",
        Map.of(),
        "",
        "");
  }

  private static String shown(Rating rating) {
    if (rating instanceof Rating.Priced priced) {
      return priced.amount().toPlainString();
    }
    return ((Rating.Unpriced) rating).reason().name();
  }

  private static Path sample(String name) throws URISyntaxException {
    return Path.of(CgratesImportTest.class.getResource("/cgrates/" + name).toURI());
  }

  private Path copy(String name) throws IOException, URISyntaxException {
    Path copy = Files.createDirectories(folder.resolve("files"));
    try (Stream<Path> files = Files.list(sample(name))) {
      for (Path file : files.toList()) {
        Files.write(copy.resolve(file.getFileName()), Files.readAllBytes(file));
      }
    }
    return copy;
  }
}
