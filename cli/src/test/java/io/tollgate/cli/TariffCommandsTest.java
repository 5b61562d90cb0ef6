package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.wire.CdrJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class TariffCommandsTest {
  private static final String TARIFFS = Path.of("..", "tariffs").toString();

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldFindTheSampleTariffsGood() throws IOException {
    assertThat(execute("tariff", "validate", TARIFFS)).isZero();
    assertThat(out.toString()).contains("2 plans", "golden cases: 0 errors, 0 warnings");

    out.getBuffer().setLength(0);
    assertThat(execute("tariff", "validate", TARIFFS, "--json")).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("good").asBoolean()).isTrue();
    assertThat(json.get("digest").asText()).hasSize(64);
  }

  @Test
  void shouldFailOnFaultyTariffsAndNameThem() {
    assertThat(execute("tariff", "validate", folder.resolve("none").toString())).isEqualTo(1);
    assertThat(out.toString()).contains("error: directory").contains("1 errors, 0 warnings");

    assertThat(execute("price", "--tariffs", folder.toString(), "--account", "a")).isEqualTo(1);
    assertThat(err.toString()).contains("has errors:", "assignments.csv");
  }

  @Test
  void shouldPriceOneCallWithItsExplanation() throws IOException {
    String[] call = {
      "price",
      "--tariffs",
      TARIFFS,
      "--account",
      "home-1",
      "--to",
      "+44 7700 900123",
      "--at",
      "2024-06-05T17:59:30+02:00",
      "--duration",
      "90",
      "--json"
    };
    assertThat(execute(call)).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("amount").asText()).isEqualTo("0.3350");
    assertThat(json.get("steps")).hasSize(2);

    out.getBuffer().setLength(0);
    call[call.length - 1] = "--type=VOICE";
    assertThat(execute(call)).isZero();
    assertThat(out.toString())
        .contains("amount       0.3350 EUR", "+447 United Kingdom mobile", "connection fee")
        .contains("rounded half-up to 4 decimals");
  }

  @Test
  void shouldSayWhyACallHasNoPrice() {
    assertThat(
            execute(
                "price",
                "--tariffs",
                TARIFFS,
                "--account",
                "home-1",
                "--to",
                "+33 1 99 00 00 42",
                "--at",
                "2024-06-05T10:00:00Z",
                "--duration",
                "60"))
        .isEqualTo(1);
    assertThat(out.toString()).contains("no price: NO_DESTINATION");
  }

  @Test
  void shouldTellWrongUsage() {
    assertThat(execute("tariff")).isEqualTo(2);
    assertThat(execute("price")).isEqualTo(2);
    assertThat(execute("price", "--tariffs", TARIFFS, "--account", "a", "--at", "noon"))
        .isEqualTo(2);
    assertThat(
            execute(
                "price",
                "--tariffs",
                TARIFFS,
                "--account",
                "a",
                "--at",
                "2024-06-05T10:00:00Z",
                "--duration",
                "-1"))
        .isEqualTo(2);
    assertThat(execute("tariff", "diff", TARIFFS, TARIFFS)).isEqualTo(2);
    err.getBuffer().setLength(0);
    assertThat(execute("price", "--tariffs", TARIFFS, "--account", "a", "--at", "noon"))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains("--at: noon (expected: such as", "--duration: null (expected: 0 or more");
  }

  @Test
  void shouldPriceFilesAndSumThem() throws IOException {
    Path cdrs = cdrs();
    assertThat(execute("price", "--tariffs", TARIFFS, "--cdrs", cdrs.toString())).isEqualTo(1);
    assertThat(out.toString())
        .contains("switch/1: 0.0250 EUR", "switch/3: NO_DESTINATION")
        .contains("2 priced, 1 NO_DESTINATION, 1 bad lines, 0.2650 EUR");
    assertThat(err.toString()).contains("bad line");

    out.getBuffer().setLength(0);
    execute("price", "--tariffs", TARIFFS, "--cdrs", cdrs.toString(), "--json");
    String[] lines = out.toString().split("\n");
    assertThat(lines).hasSize(4);
    assertThat(new ObjectMapper().readTree(lines[3]).at("/summary/sums/0/amount").asText())
        .isEqualTo("0.2650");
  }

  @Test
  void shouldShowWhatOtherTariffsWouldCost() throws IOException {
    Path dearer = folder.resolve("dearer");
    copy(Path.of("..", "tariffs"), dearer);
    Path rates = dearer.resolve("plans/retail-de/rates.csv");
    Files.writeString(
        rates,
        Files.readString(rates).replace("mobile,VOICE,,,0.05,0.19", "mobile,VOICE,,,0.05,0.29")
            + "+33,France,VOICE,,,,0.2,60,60/60,,,,,2020-01-01,\n");
    Files.delete(dearer.resolve("golden.csv"));

    assertThat(
            execute(
                "tariff",
                "diff",
                TARIFFS,
                dearer.toString(),
                "--cdrs",
                cdrs().toString(),
                "--json"))
        .isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("records").asLong()).isEqualTo(3);
    assertThat(json.get("differing").asLong()).isEqualTo(2);
    assertThat(json.at("/destinations/0/name").asText()).isEqualTo("France");
    assertThat(json.at("/destinations/0/oldUnpriced").asLong()).isEqualTo(1);
    assertThat(json.at("/destinations/0/new").asText()).isEqualTo("0.2000");
    assertThat(json.at("/accounts/0/difference").asText()).isEqualTo("0.3000");
    assertThat(json.at("/movers/0/old/reason").asText()).isEqualTo("NO_DESTINATION");

    out.getBuffer().setLength(0);
    assertThat(execute("tariff", "diff", TARIFFS, dearer.toString(), "--cdrs", cdrs().toString()))
        .isZero();
    assertThat(out.toString())
        .contains("2 of 3 records would cost something else.")
        .contains("Largest movers:")
        .contains("+0.1000  0.2400 EUR -> 0.3400 EUR");
  }

  @Test
  void shouldImportTariffsOfCgratesThatValidateAndPrice() throws IOException {
    String book = folder.resolve("book").toString();
    String[] zone = {"--currency", "EUR", "--zone", "Europe/Berlin", "--json"};
    assertThat(execute(importing("good", book, zone))).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("written").asBoolean()).isTrue();
    assertThat(json.get("complete").asBoolean()).isTrue();
    assertThat(json.get("plans").asInt()).isEqualTo(4);
    assertThat(json.get("findings")).isEmpty();

    assertThat(execute("tariff", "validate", book)).isZero();
    out.getBuffer().setLength(0);
    String[] call = {
      "price",
      "--tariffs",
      book,
      "--account",
      "home-1",
      "--to",
      "+49 30 12345",
      "--json",
      "--at",
      "2024-06-05T18:58:30+02:00",
      "--duration",
      "200"
    };
    assertThat(execute(call)).isZero();
    // 0.05, a minute at 0.12, 30 s at 0.06 a minute, 110 s of the evening at 0.031; rounded up.
    json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("amount").asText()).isEqualTo("0.2569");
    assertThat(json.get("currency").asText()).isEqualTo("EUR");
  }

  @Test
  void shouldTellAnImportThatIsNotCompleteFromOneThatCannotBeRead() throws IOException {
    Path book = folder.resolve("book");
    assertThat(execute(importing("partial", book.toString()))).isEqualTo(3);
    assertThat(out.toString())
        .contains("RatingProfiles.csv:2:2: not expressed: Category: premium (left out: ")
        .contains("1 plans, ", "21 not expressed, ", "Amounts are in XXX", "clock of UTC");
    assertThat(execute("tariff", "validate", book.toString())).isZero();
    assertThat(execute(importing("partial", book.toString()))).isEqualTo(2);
    assertThat(err.toString()).contains("book: not empty (expected: a new directory)");

    Path none = folder.resolve("none");
    assertThat(execute(importing("faulty", none.toString()))).isEqualTo(1);
    assertThat(out.toString()).contains("32 faults; nothing was written");
    assertThat(none).doesNotExist();

    out.getBuffer().setLength(0);
    assertThat(execute(importing("faulty", none.toString(), "--json"))).isEqualTo(1);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("written").asBoolean()).isFalse();
    assertThat(json.at("/findings/0/kind").asText()).isEqualTo("fault");
    assertThat(json.at("/findings/0/line").asInt()).isEqualTo(1);
    assertThat(json.at("/findings/0/column").asInt()).isEqualTo(2);
    assertThat(json.at("/findings/0/value").asText()).isEqualTo("NOWHERE");
  }

  @ParameterizedTest
  @CsvSource({
    "--currency, EURO, --currency: EURO (expected: a code of ISO 4217",
    "--zone, Berlin, --zone: Berlin (expected: a time zone",
    "--zone, CET, --zone: CET (expected: a time zone",
    "--prefixes, e164, --prefixes: e164 (expected: international or literal)",
    "--tenants, x, Unknown option"
  })
  void shouldTellAnImportWithWrongOptions(String option, String value, String expected) {
    Path book = folder.resolve("book");
    assertThat(execute(importing("good", book.toString(), option, value))).isEqualTo(2);
    assertThat(err.toString()).contains(expected);
    assertThat(book).doesNotExist();
  }

  private static String[] importing(String sample, String book, String... options) {
    String files =
        Path.of("..", "pricing", "src", "test", "resources", "cgrates", sample).toString();
    return Stream.concat(Stream.of("tariff", "import-cgrates", files, book), Stream.of(options))
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "--correction",
    "--reason=typing error",
    "--correction|--reason= ",
    "--correction|--reason=",
    "--correction|--reason=x|--dry-run|one|two"
  })
  void shouldRefuseACorrectionWithoutAReasonAndAReasonWithoutACorrection(String options) {
    String[] arguments =
        Stream.concat(
                Stream.of("tariff", "publish"), Stream.of((options + "|" + TARIFFS).split("\\|")))
            .toArray(String[]::new);
    assertThat(execute(arguments)).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldCheckWhatWouldBePublished() {
    assertThat(execute("tariff", "publish", "--dry-run", TARIFFS)).isZero();
    assertThat(out.toString()).contains("Good, not published: digest ");
    assertThat(
            execute("tariff", "publish", "--dry-run", "--correction", "--reason", "why", TARIFFS))
        .isZero();
    assertThat(execute("tariff", "publish", "--dry-run", folder.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("has errors:", "assignments.csv");
    assertThat(execute("tariff", "show", "first")).isEqualTo(2);
    assertThat(execute("tariff", "history", "surplus")).isEqualTo(2);
  }

  private Path cdrs() throws IOException {
    StringBuilder lines = new StringBuilder();
    String[] called = {"+493023125017", "+447700900123", "+33199000042"};
    for (int i = 0; i < called.length; i++) {
      Cdr cdr =
          new Cdr(
              "switch/" + (i + 1),
              "home-1",
              UsageType.VOICE,
              "",
              called[i],
              Instant.parse("2024-06-05T08:00:00Z").toEpochMilli(),
              0,
              60_000,
              "ANSWERED",
              Map.of(),
              "",
              "");
      lines.append(CdrJson.encode(cdr)).append('\n');
    }
    lines.append("{\"not\": \"a CDR\"}\n");
    return Files.writeString(folder.resolve("cdrs.json"), lines);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Tollgate.commandLine();
    return commandLine
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
