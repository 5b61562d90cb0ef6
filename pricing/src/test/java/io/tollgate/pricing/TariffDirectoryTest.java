package io.tollgate.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.tariff.RateRow;
import io.tollgate.domain.tariff.TariffBook;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TariffDirectoryTest {
  private static final String RATES = "plans/p/rates.csv";
  private static final String PLAN = "plans/p/plan.yaml";

  @TempDir private Path root;
  private TariffFiles files;

  @BeforeEach
  void setUp() {
    files = new TariffFiles(root);
  }

  @Test
  void shouldReadASmallDirectory() {
    TariffCheck check = files.check();
    assertThat(check.problems()).isEmpty();
    RateRow row = check.book().orElseThrow().plans().get(0).rates().get(0);
    assertThat(row.prefix()).isEqualTo("+49");
    assertThat(row.usageType()).isEqualTo(UsageType.VOICE);
    assertThat(row.per()).isEqualTo(60_000);
    assertThat(row.increment()).isEqualTo(1000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFEFFprefix;destination;rate\r\n+49;Germany;0.05\r\n",
        "\"prefix\",\"destination\",\"rate\"\n\"+49\",\"Germany\",\"0.05\"\n",
        "prefix\tdestination\trate\n 49 \tGermany\t 0.0500\u00A0\n",
        "\n\nprefix,destination,rate,,,\n\n+49,Germany,0.05,,,\n,,,,,\n   \n",
        "Destination Name,Rate,Prefix\nGermany,0.05,+49",
        "prefix,destination,rate,usage type,free seconds\n+49,Germany,.05,voice,\r\n"
      })
  void shouldSurviveTheHabitsOfSpreadsheets(String text) {
    TariffBook good =
        files
            .with(RATES, "prefix,destination,rate\n+49,Germany,0.05\n")
            .check()
            .book()
            .orElseThrow();
    TariffCheck check = files.with(RATES, text).check();
    assertThat(check.problems()).isEmpty();
    assertThat(check.book().orElseThrow().digest()).isEqualTo(good.digest());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4.49E+11,G,0.05,,,, | prefix: 4.49E+11 (expected: all digits; a spreadsheet made",
        "0049,G,0.05,,,, | prefix: 0049 (expected: a country code first",
        "+4x9,G,0.05,,,, | prefix: +4x9 (expected: digits",
        "+49,G,'\"0,05\"',,,, | rate: 0,05 (expected: a decimal point",
        "+49,G,'\"1,000\"',,,, | rate: 1,000 (expected: a decimal point and no thousands separator",
        "+49,G,'\"1,000.50\"',,,, | rate: 1,000.50 (expected: a number without thousands",
        "+49,G,1 000,,,, | rate: 1 000 (expected: a number without thousands",
        "+49,G,5E-04,,,, | rate: 5E-04 (expected: plain digits",
        "+49,G,-1,,,, | rate: -1 (expected: 0 or more)",
        "+49,G,,,,, | rate: nothing (expected: a price",
        "+49,G,cheap,,,, | rate: cheap (expected: a number",
        "+49,G,0.05,0,,, | per: 0 (expected: more than 0)",
        "+49,G,0.05,60kB,,, | per: 60kB (expected: seconds",
        "+49,G,0.05,60,60/1/1,, | increment: 60/1/1 (expected: one such as 60",
        "+49,G,0.05,60,0,, | increment: 0 (expected: one such as 60",
        "+49,G,0.05,60,60,31.12.2024, | valid_from: 31.12.2024 (expected: year-month-day",
        "+49,G,0.05,60,60,45657, | valid_from: 45657 (expected: 2025-01-31; a spreadsheet",
        "+49,G,0.05,60,60,2024-02-30, | valid_from: 2024-02-30 (expected: a day and time that",
        "+49,G,0.05,60,60,2025-01-01,2025-01-01 | valid_to: 2025-01-01 (expected: an end after",
        "+49,G,0.05,60,60,,,,surplus | field: surplus (expected: no more fields than"
      })
  void shouldNameWhatIsWrongWithARow(String row, String expected) {
    String header = "prefix,destination,rate,per,increment,valid_from,valid_to\n";
    TariffCheck check = files.with(RATES, header + "+1,A,1,,,,\n" + row.replace("'", "")).check();
    assertThat(check.errors()).hasSize(1);
    assertThat(check.errors().get(0).toString())
        .startsWith(RATES + ":3:")
        .contains("error: " + expected);
    assertThat(check.book()).isEmpty();
  }

  @Test
  void shouldFindTheProblemsOfAllFilesAtOnce() {
    TariffCheck check =
        files
            .with(PLAN, "currency: EURO\nzone: Berlin\nrounding: {mode: nearest}\nband: {}\n")
            .with(
                RATES,
                """
                prefix,band,type,rate,from,maximum,minimum,on_maximum,connection_fee
                +49,peek,VOICE,0.05,0,,,,
                +44,,FAX,0.05,0,,,,
                +1,,VOICE,0.05,0,1,2,,
                +7,,VOICE,0.05,0,1,,stop,
                +8,,VOICE,0.05,0,1,,,2
                +9,,VOICE,0.05,60,,,,1
                +9,,VOICE,0.05,60,,,,
                """)
            .with("assignments.csv", "account,plan,valid_from\n*,q,\nx,p,yesterday\n")
            .with("golden.csv", "account,start,usage\n")
            .with("calendars/de.csv", "date,name\n2024-01-01,a\n2024-01-01,b\n1.5.2024,c\n")
            .check();
    assertThat(check.errors().stream().map(Problem::toString))
        .containsExactlyInAnyOrder(
            "assignments.csv:2:2: error: plan: q (expected: a directory below plans/: p)",
            "assignments.csv:3:3: error: valid_from: yesterday to  (expected: 2025-01-31,"
                + " 2025-01-31T08:00 or 2025-01-31T08:00:00Z)",
            "calendars/de.csv:3:1: error: date: 2024-01-01 (expected: each day once)",
            "calendars/de.csv:4:1: error: date: 1.5.2024 (expected: year-month-day, such as"
                + " 2025-01-31; a local order can be read in two ways)",
            "golden.csv:1: error: column: no expected (expected: a column expected)",
            "plans/p/plan.yaml:1:11: error: currency: EURO (expected: a code of ISO 4217 such as"
                + " EUR)",
            "plans/p/plan.yaml:2:7: error: zone: Berlin (expected: a time zone such as"
                + " Europe/Berlin or UTC)",
            "plans/p/plan.yaml:3:18: error: mode: nearest (expected: one of up, down, ceiling,"
                + " floor, half-up, half-down, half-even)",
            "plans/p/plan.yaml:4:7: error: band: (expected: no such key; known are currency, zone,"
                + " rounding, band_crossing, increments, price_change, steps, billing, prefixes,"
                + " data_unit, usage_types, bands, free)",
            "plans/p/rates.csv:2:2: error: band: peek (expected: a band of plan.yaml: )",
            "plans/p/rates.csv:3:3: error: type: FAX (expected: VOICE, SMS, MMS, DATA or EVENT)",
            "plans/p/rates.csv:4:7: error: minimum: 2 (expected: at most the maximum 1)",
            "plans/p/rates.csv:5:8: error: on_maximum: stop (expected: cap or disconnect)",
            "plans/p/rates.csv:6:9: error: connection_fee: 2 (expected: at most the maximum 1)",
            "plans/p/rates.csv:7:9: error: connection_fee: 1 (expected: nothing: it stands on the"
                + " step from 0; see also step_fee)",
            "plans/p/rates.csv:8: error: from: VOICE +9 from 60000 (expected: a row from 0 valid"
                + " at the same time)");
  }

  @Test
  void shouldFindOverlapsDuplicatesAndGaps() {
    TariffCheck check =
        files
            .with(
                RATES,
                """
                prefix,rate,valid_from,valid_to
                +1,1,2024-01-01,2025-01-01
                +1,2,2024-06-01,
                +2,1,2024-01-01,
                +2,1,2024-01-01,
                +3,1,2024-01-01,2024-06-01
                +3,1,2024-06-02,
                +4,1,2024-01-01,2024-06-01
                +4,1,2024-06-01,
                """)
            .check();
    assertThat(check.problems().stream().map(Problem::toString))
        .containsExactly(
            "plans/p/rates.csv:3: error: row: VOICE +1 (expected: no overlap; this is valid"
                + " 2024-05-31T22:00:00Z to open, line 2 2023-12-31T23:00:00Z to"
                + " 2024-12-31T23:00:00Z)",
            "plans/p/rates.csv:5: error: row: VOICE +2 (expected: no row twice; the same stands in"
                + " line 4)",
            "plans/p/rates.csv:7: warning: valid_from: 2024-06-01T22:00:00Z (VOICE +3 has no price"
                + " since 2024-05-31T22:00:00Z, the end of line 6)");
  }

  @Test
  void shouldWarnOfTimesWithoutAPrice() {
    TariffCheck check =
        files
            .with(
                PLAN,
                """
                currency: EUR
                zone: Europe/Berlin
                rounding: {decimals: 2}
                bands:
                  peak: {weekdays: mon-fri, times: 08:00-18:00}
                  off-peak: [{weekdays: mon-fri, times: 18:00-08:00}, {weekdays: sat}]
                  unused: {weekdays: mon}
                """)
            .with(RATES, "prefix,band,rate\n+1,peak,1\n+1,off-peak,1\n+2,peak,1\n+2,,3\n")
            .check();
    assertThat(check.errors()).isEmpty();
    assertThat(check.warnings().stream().map(Problem::toString))
        .containsExactly(
            "plans/p/plan.yaml:7: warning: bands: unused (no rate uses this band)",
            // Friday's night runs into Saturday, which is off-peak anyway; Sunday has no band, and
            // nor has the night that would begin on it.
            "plans/p/rates.csv:3: warning: band: off-peak, peak (no price at mon 00:00-08:00, sun"
                + " 00:00-24:00, first on 2024-01-01; so for 1 prefixes, the first is VOICE +1"
                + " off-peak)");
  }

  @Test
  void shouldFailGoldenCasesWithTheExplanation() {
    TariffCheck check =
        files
            .with(
                "golden.csv",
                """
                account,called,start,usage,expected
                a,+4930,2024-06-05T10:00,60,0.05
                a,+4930,2024-06-05T10:00,37,0.06
                a,+33,2024-06-05T10:00,60,0.06
                a,+4930,05.06.2024,60,0.05
                """)
            .check();
    assertThat(check.goldenCases()).isEqualTo(4);
    assertThat(check.errors().stream().map(Problem::toString))
        .containsExactly(
            "golden.csv:3:5: error: expected: 0.06 (expected: what the tariff gives: 0.0308 EUR"
                + " (any time 37000 x 0.05/60000 = 0.030833333333333 = 0.030833333333333; plan p,"
                + " prefix +49 +49))",
            "golden.csv:4:5: error: expected: 0.06 (expected: what the tariff gives:"
                + " NO_DESTINATION, VOICE to '+33' in plan p: no prefix matches)",
            "golden.csv:5:3: error: start: 05.06.2024 (expected: year-month-day, such as"
                + " 2025-01-31; a local order can be read in two ways)");
  }

  @Test
  void shouldNoticeLeadingZerosThatASpreadsheetDropped() {
    TariffCheck check =
        files
            .with(PLAN, "currency: EUR\nzone: UTC\nrounding: {decimals: 2}\nprefixes: literal\n")
            .with(RATES, "prefix,rate\n0256,1\n257,1\n+1,1\n")
            .check();
    assertThat(check.warnings().stream().map(Problem::toString))
        .containsExactly(
            "plans/p/rates.csv:3:1: warning: prefix: 257 (no leading 0 while 0256 has one; did a"
                + " spreadsheet drop it?)");
  }

  @Test
  void shouldNameUnreadableFiles() {
    TariffCheck check =
        files
            .with(PLAN, "currency: EUR\nzone: [\n")
            .with("assignments.csv", "account,plan\n\"*,p\n")
            .with("golden.csv", new byte[] {'a', '\n', (byte) 0xe4})
            .with("calendars/x.csv", "a,b".getBytes(StandardCharsets.UTF_16))
            .check();
    assertThat(check.errors().stream().map(p -> p.file() + ":" + p.line() + ": " + p.field()))
        .containsExactly(
            "assignments.csv:0: CSV",
            "calendars/x.csv:1: encoding",
            "golden.csv:2: encoding",
            "plans/p/plan.yaml:3: YAML");
    assertThat(files.with(RATES, "").with(PLAN, "currency: EUR").check().errors())
        .extracting(Problem::field)
        .contains("zone", "rounding", "header");
    assertThat(files.without(RATES).without(PLAN).check().errors())
        .extracting(Problem::file)
        .contains(PLAN);
    assertThat(TariffDirectory.read(root.resolve("absent")).errors()).hasSize(1);
  }

  @Test
  void shouldReadDataUnitsAsDeclared() {
    files.with(
        RATES, "prefix,type,rate,per,increment\n*,DATA,1,1MB,10kB\nbig,DATA,1,1GiB,1MiB/10KiB\n");
    List<RateRow> decimal = files.check().book().orElseThrow().plans().get(0).rates();
    assertThat(decimal.get(0).per()).isEqualTo(1_000_000);
    assertThat(decimal.get(0).increment()).isEqualTo(10_000);
    assertThat(decimal.get(1).per()).isEqualTo(1L << 30);
    assertThat(decimal.get(1).initialIncrement()).isEqualTo(1L << 20);
    files.with(PLAN, "currency: EUR\nzone: UTC\nrounding: {}\ndata_unit: binary\n");
    List<RateRow> binary = files.check().book().orElseThrow().plans().get(0).rates();
    assertThat(binary.get(0).per()).isEqualTo(1L << 20);
    assertThat(binary.get(0).increment()).isEqualTo(10_240);
  }

  @Test
  void shouldCheckTwoHundredThousandRows() {
    StringBuilder csv =
        new StringBuilder("prefix,destination,type,rate,per,increment,valid_from\n");
    for (int i = 0; i < 200_000; i++) {
      csv.append("+").append(1_000_000 + i * 7L).append(",Destination ").append(i % 5000);
      csv.append(",VOICE,0.").append(1000 + i % 9000).append(",60,60/1,2020-01-01\n");
    }
    files.with(RATES, csv.toString());
    TariffCheck check = files.check();
    assertThat(check.problems()).isEmpty();
    assertThat(check.book().orElseThrow().plans().get(0).rates()).hasSize(200_000);
  }
}
