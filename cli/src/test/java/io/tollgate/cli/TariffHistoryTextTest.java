package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.Reprice;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.TariffBookBuilder;
import io.tollgate.domain.tariff.TariffHistory;
import io.tollgate.settlement.Rerates;
import io.tollgate.wire.tariff.TariffTopic.Contents;
import io.tollgate.wire.tariff.TariffTopic.Entry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code tariff history} and {@code tariff show} print of a topic. */
class TariffHistoryTextTest {
  private static final long NOW = millis("2024-08-01T00:00:00Z");
  private static final ChargeKey KEY =
      new ChargeKey("acme", "switch/7", millis("2024-06-10T12:00:00Z") / 3_600_000);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<Entry> entries = new ArrayList<>();
  private TariffHistory history = TariffHistory.EMPTY;

  /** Version 1, a void, a correction of June that makes version 2, and a charge priced anew. */
  @BeforeEach
  void setUp() {
    Publication first = Publication.after(history, germany("1", "1"), NOW);
    add(first.book());
    add(new VoidCharge(1, "test call", KEY));
    Publication changed = Publication.after(history, germany("1", "2"), NOW);
    Publication corrected = changed.asCorrection(history, "typing error");
    Correction.Prices prices = corrected.correction().orElseThrow();
    history = history.with(prices);
    entries.add(entry(Optional.of(prices.book()), Optional.of(prices)));
    add(new Reprice(3, "row was damaged", KEY));
  }

  @Test
  void shouldListVersionsAndCorrectionsInTheirOrder() throws Exception {
    assertThat(
            TariffHistoryCommand.show(
                contents(), false, new PrintWriter(out), TariffHistoryTextTest::allWait))
        .isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "version",
            "1        2024-08-01T00:00:00Z           1        3            1        42  ",
            "correction 1 at 2024-08-01T00:00:00Z: void acme:switch/7 of 2024-06-10T12:00:00Z:"
                + " test call",
            "correction 2 at 2024-08-01T00:00:00Z: prices from 2024-06-01T00:00:00Z to"
                + " 2024-07-01T00:00:00Z: typing error",
            "  charges of these hours wait for a rerate: 2024-05-31T00:00:00Z to"
                + " 2024-06-30T23:00:00Z",
            "  ",
            "2        2024-08-01T00:00:00Z           1        3            1        42  ",
            "correction 3 at 2024-08-01T00:00:00Z: price anew acme:switch/7 of"
                + " 2024-06-10T12:00:00Z: row was damaged");
  }

  @Test
  void shouldListTheSameAsJson() throws JsonProcessingException {
    assertThat(
            TariffHistoryCommand.show(
                contents(), true, new PrintWriter(out), TariffHistoryTextTest::allWait))
        .isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("versions")).hasSize(2);
    assertThat(json.at("/versions/1/version").asLong()).isEqualTo(2);
    assertThat(json.at("/versions/0/digest").asText()).hasSize(64);
    assertThat(json.get("faults")).isEmpty();
    JsonNode voided = json.at("/corrections/0");
    assertThat(voided.get("kind").asText()).isEqualTo("void");
    assertThat(voided.get("account").asText()).isEqualTo("acme");
    assertThat(voided.get("event").asText()).isEqualTo("switch/7");
    assertThat(voided.get("firstHour").asText()).isEqualTo("2024-06-10T12:00:00Z");
    assertThat(voided.get("waitsForRerate").asBoolean()).isFalse();
    JsonNode prices = json.at("/corrections/1");
    assertThat(prices.get("waitsForRerate").asBoolean()).isTrue();
    assertThat(prices.get("kind").asText()).isEqualTo("prices");
    assertThat(prices.get("number").asLong()).isEqualTo(2);
    assertThat(prices.get("reason").asText()).isEqualTo("typing error");
    assertThat(prices.get("version").asLong()).isEqualTo(2);
    assertThat(prices.get("from").asText()).isEqualTo("2024-06-01T00:00:00Z");
    assertThat(prices.get("to").asText()).isEqualTo("2024-07-01T00:00:00Z");
    assertThat(prices.get("firstHour").asText()).isEqualTo("2024-05-31T00:00:00Z");
    assertThat(prices.get("lastHour").asText()).isEqualTo("2024-06-30T23:00:00Z");
    assertThat(prices.get("changes")).isNotEmpty();
    assertThat(json.at("/corrections/2/kind").asText()).isEqualTo("price-anew");
  }

  @Test
  void shouldNameOnlyHoursThatStillWait() throws JsonProcessingException {
    show(prices -> waiting(prices.firstHour() + 2, prices.firstHour() + 2));
    assertThat(out.toString()).contains("wait for a rerate: 2024-05-31T02:00:00Z\n");
    show(prices -> new HoursToRerate(Optional.of(new Rerates.Waiting(0, -1, -1)), ""));
    assertThat(out.toString())
        .contains("its hours were rerated: 2024-05-31T00:00:00Z to 2024-06-30T23:00:00Z");
    show(
        prices ->
            new HoursToRerate(
                Optional.of(new Rerates.Waiting(2, prices.firstHour(), prices.firstHour() + 5)),
                ""));
    assertThat(out.toString())
        .contains("2024-05-31T00:00:00Z to 2024-05-31T05:00:00Z, of which 2 wait");
    show(prices -> new HoursToRerate(Optional.empty(), "PostgreSQL is away"));
    assertThat(out.toString()).contains("unless there was one (PostgreSQL is away)");
  }

  private void show(Function<Correction.Prices, HoursToRerate> hours)
      throws JsonProcessingException {
    TariffHistoryCommand.show(contents(), false, new PrintWriter(out), hours);
  }

  private static HoursToRerate allWait(Correction.Prices prices) {
    return waiting(prices.firstHour(), prices.lastHour());
  }

  private static HoursToRerate waiting(long first, long last) {
    return new HoursToRerate(Optional.of(new Rerates.Waiting(last - first + 1, first, last)), "");
  }

  @Test
  void shouldFailIfAMessageWasRefused() throws JsonProcessingException {
    Contents damaged = new Contents(history, entries, List.of("offset 4: bad magic"));
    assertThat(
            TariffHistoryCommand.show(
                damaged, false, new PrintWriter(out), TariffHistoryTextTest::allWait))
        .isEqualTo(1);
    assertThat(out.toString()).contains("refused: offset 4: bad magic");
  }

  @Test
  void shouldShowTheNewestVersionWithTheCorrectionThatMadeIt() {
    assertThat(show(Optional.empty())).isZero();
    assertThat(out.toString())
        .startsWith("correction 2: prices from 2024-06-01T00:00:00Z to 2024-07-01T00:00:00Z:")
        .contains("version 2, digest ", "plan p: EUR, ", "half-up to 2 decimals", "since version 1")
        .containsPattern("VOICE \\+49 +Germany +any +0 +2 +60000 +\\S+ +v2 ")
        .contains("account *: plan p, ");
  }

  @Test
  void shouldShowAnEarlierVersionAndSayThatThereIsNone() {
    assertThat(show(Optional.of(1L))).isZero();
    assertThat(out.toString()).startsWith("version 1, digest ").doesNotContain("correction");
    assertThat(show(Optional.of(9L))).isEqualTo(1);
    assertThat(err.toString()).contains("No version 9");

    entries.clear();
    history = TariffHistory.EMPTY;
    assertThat(show(Optional.empty())).isEqualTo(1);
    assertThat(err.toString()).contains("Nothing was published yet");
  }

  private int show(Optional<Long> version) {
    return TariffShowCommand.show(
        contents(), version, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private void add(TariffBook book) {
    history = history.with(book);
    entries.add(entry(Optional.of(book), Optional.empty()));
  }

  private void add(Correction correction) {
    history = history.with(correction);
    entries.add(entry(Optional.empty(), Optional.of(correction)));
  }

  private static Entry entry(Optional<TariffBook> book, Optional<Correction> correction) {
    return new Entry(NOW, 42, book, correction);
  }

  private Contents contents() {
    return new Contents(history, List.copyOf(entries), List.of());
  }

  /** Germany at a price a minute, in June at another one. */
  private static TariffBook germany(String price, String inJune) {
    return TariffBook.builder(0)
        .plan(
            "p",
            p ->
                p.rate(r -> voice(r, price, "2020-01-01T00:00:00Z", "2024-06-01T00:00:00Z"))
                    .rate(r -> voice(r, inJune, "2024-06-01T00:00:00Z", "2024-07-01T00:00:00Z"))
                    .rate(r -> voice(r, price, "2024-07-01T00:00:00Z", "2030-01-01T00:00:00Z"))
                    .rounding(RoundingMode.HALF_UP, 2))
        .assignDefault("p")
        .build();
  }

  private static TariffBookBuilder.RateBuilder voice(
      TariffBookBuilder.RateBuilder rate, String price, String from, String to) {
    return rate.voice("+49", "Germany").perMinute(price).valid(from, to);
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }
}
