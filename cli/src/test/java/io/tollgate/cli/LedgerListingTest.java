package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LedgerListingTest {
  private static final YearMonth MONTH = YearMonth.of(2026, 10);

  private final StringWriter printed = new StringWriter();
  private final LedgerListing listing = new LedgerListing(new PrintWriter(printed));

  @Test
  void tableShowsRowsInOrderOfStartAndSumsByCurrency() {
    listing.print(
        "a",
        MONTH,
        owed(
            charge("e1", "2026-10-01T10:30:00Z", 0, "0.10", "EUR"),
            charge("e2", "2026-10-01T10:05:00.250Z", 0, "1.2300", "GBP"),
            charge("e3", "2026-10-01T11:00:00Z", 0, "0.20", "EUR")));

    assertThat(printed.toString().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .containsSubsequence(
            "Charges of account a in 2026-10 (UTC):",
            "start type called destination usage charged amount tariff",
            "2026-10-01 12:05:00.250+02:00 VOICE +447700900123 UK mobile 61.500 s 120 s 1.2300 GBP"
                + " 7",
            "2026-10-01 12:30:00.000+02:00 VOICE +447700900123 UK mobile 61.500 s 120 s 0.10 EUR 7",
            "2 charges, 0.30 EUR",
            "1 charge, 1.2300 GBP");
  }

  @Test
  void highestRevisionIsWhatIsOwed() {
    Iterator<Charge> owed =
        owed(
            charge("e1", "2026-10-01T10:30:00Z", 0, "0.10", "EUR"),
            charge("e1", "2026-10-01T10:30:00Z", 2, "0.05", "EUR"),
            charge("e1", "2026-10-01T10:30:00Z", 5, "0.00", "EUR"),
            charge("e2", "2026-10-01T10:31:00Z", 0, "0.20", "EUR"));

    listing.print("a", MONTH, owed);

    assertThat(printed.toString())
        .contains("corrected, revision 5")
        .doesNotContain("revision 2")
        .contains("2 charges, 0.20 EUR");
  }

  @Test
  void sameEventIdInAnotherHourIsAnotherCharge() {
    assertThat(
            owed(
                charge("e1", "2026-10-01T10:30:00Z", 0, "0.10", "EUR"),
                charge("e1", "2026-10-01T11:30:00Z", 0, "0.20", "EUR")))
        .toIterable()
        .hasSize(2);
  }

  @Test
  void emptyMonthIsSaidToBeEmpty() {
    listing.print("a\u0007", MONTH, owed());

    assertThat(printed.toString().strip())
        .isEqualTo("No charges of account a\\u0007 in 2026-10 (UTC).");
  }

  @Test
  void jsonKeepsAmountsExact() throws IOException {
    listing.printJson(owed(charge("e1", "2026-10-01T10:30:00Z", 0, "1.2300", "EUR")));

    JsonNode line = new ObjectMapper().readTree(printed.toString());
    assertThat(line.get("amount").textValue()).isEqualTo("1.2300");
    assertThat(line.get("start").textValue()).isEqualTo("2026-10-01T10:30:00Z");
    assertThat(line.get("steps").get(0).get("rate").textValue()).isEqualTo("0.05");
    assertThat(line.get("tariffVersion").intValue()).isEqualTo(7);
  }

  @Test
  void wrongMonthIsAUsageFault() {
    for (String month : new String[] {"2026-13", "october", "1999-12"}) {
      assertThat(execute("ledger", "a", "--month", month)).isEqualTo(CommandLine.ExitCode.USAGE);
    }
    assertThat(execute("ledger")).isEqualTo(CommandLine.ExitCode.USAGE);
  }

  private static int execute(String... arguments) {
    return Tollgate.commandLine()
        .setErr(new PrintWriter(new StringWriter()))
        .setOut(new PrintWriter(new StringWriter()))
        .execute(arguments);
  }

  private static Iterator<Charge> owed(Charge... rows) {
    List<Charge> ofLedger = new ArrayList<>(List.of(rows));
    return new OwedCharges(ofLedger.iterator());
  }

  private static Charge charge(
      String event, String start, long revision, String amount, String currency) {
    Cdr cdr =
        new Cdr(
            event,
            "a",
            UsageType.VOICE,
            "+493023125010",
            "+447700900123",
            Instant.parse(start).toEpochMilli(),
            7200,
            61_500,
            "ANSWERED",
            Map.of(),
            "",
            "");
    BigDecimal owed = new BigDecimal(amount);
    Rating.Step step =
        new Rating.Step(
            "standard", 120_000, new BigDecimal("0.05"), 60_000, new BigDecimal("0.10"));
    Rating.Priced rating =
        new Rating.Priced(
            "basic", 7, "4477", "UK mobile", 120_000, List.of(step), owed, owed, currency);
    return new Charge(cdr, 1, new Origin("pbx", "b", 0, 0, 0, 0), false, rating, revision);
  }
}
