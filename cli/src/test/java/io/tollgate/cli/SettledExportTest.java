package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.Origin;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.rating.Rating;
import io.tollgate.settlement.ResultReader.PlaceConsumer;
import io.tollgate.settlement.ResultReader.SettledPlace;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettledExportTest {
  private static final YearMonth MONTH = YearMonth.of(2026, 6);
  private static final long HOUR = 495_000;

  @TempDir Path folder;
  private final List<Charge> rows = new ArrayList<>();
  private final List<SettledPlace> places = new ArrayList<>();
  private final List<String> uncovered = new ArrayList<>();
  private Path target = Path.of("");

  @BeforeEach
  void nameTheFile() {
    target = folder.resolve("june.csv");
  }

  @Test
  void shouldWriteEachSettledChargeWithItsAccount() throws Exception {
    rows.add(charge("acme", "e1", 0, "0.10", "pbx-1", "b1"));
    rows.add(charge("acme", "e2", 0, "0.25", "pbx-1", "b1"));
    places.add(place("pbx-1", 2, "0.35", 0));

    SettledExport.Summary summary = export();

    assertThat(summary)
        .isEqualTo(new SettledExport.Summary(2, 0, Map.of("EUR", new BigDecimal("0.35"))));
    assertThat(Files.readAllLines(target))
        .containsExactly(
            "account,event,start_utc,usage_hour,type,calling,called,usage,charged_usage,amount,"
                + "currency,plan,destination,tariff_version,revision,source,market",
            "acme,e1,2026-06-21T00:00:01Z,2026-06-21T00Z,VOICE,+49301,+44770,61000,120000,0.10,"
                + "EUR,gold,\"UK, mobile\",7,0,pbx-1,north",
            "acme,e2,2026-06-21T00:00:01Z,2026-06-21T00Z,VOICE,+49301,+44770,61000,120000,0.25,"
                + "EUR,gold,\"UK, mobile\",7,0,pbx-1,north");
  }

  @Test
  void shouldLeaveOutWhatNoLineCovers() throws Exception {
    rows.add(charge("acme", "e1", 0, "0.10", "pbx-1", "b1"));
    rows.add(charge("acme", "late", 0, "9.00", "pbx-1", "b2"));
    rows.add(charge("acme", "other", 0, "8.00", "pbx-2", "b1"));
    uncovered.add("b2");
    places.add(place("pbx-1", 1, "0.10", 0));

    assertThat(export().leftOut()).isEqualTo(2);
    assertThat(Files.readString(target)).contains("e1").doesNotContain("late", "other");
  }

  @Test
  void shouldTakeTheRevisionThatTheLinesCounted() throws Exception {
    rows.add(charge("acme", "e1", 0, "0.10", "pbx-1", "b1"));
    rows.add(charge("acme", "e1", 3, "0.08", "pbx-1", "b1"));
    rows.add(charge("acme", "e1", 4, "0.07", "pbx-1", "b1"));
    rows.add(charge("acme", "e2", 0, "1.00", "pbx-1", "b1"));
    places.add(place("pbx-1", 2, "1.08", 3));

    assertThat(export().sums()).containsEntry("EUR", new BigDecimal("1.08"));
    assertThat(Files.readString(target)).contains("0.08").doesNotContain("0.07");
  }

  @Test
  void shouldWriteNoFileWhenSumsOrCountsDiffer() throws Exception {
    Files.writeString(target, "of last time");
    rows.add(charge("acme", "e1", 0, "0.10", "pbx-1", "b1"));
    for (SettledPlace wrong : List.of(place("pbx-1", 1, "0.11", 0), place("pbx-1", 2, "0.10", 0))) {
      places.clear();
      places.add(wrong);

      assertThatThrownBy(this::export)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(
              "hour 2026-06-21T00Z, bucket 3, source pbx-1, EUR: 1 charges of 0.10 in the ledger"
                  + " (expected: "
                  + wrong.charges()
                  + " charges of "
                  + wrong.amount());
    }
    assertThat(Files.readString(target)).isEqualTo("of last time");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(target);
    }
  }

  @Test
  void shouldNoticeSettledRowsThatVanishedAndCurrenciesThatAppeared() {
    places.add(place("pbx-1", 1, "0.10", 0));
    assertThatThrownBy(this::export).hasMessageContaining("0 charges of 0 in the ledger");

    rows.add(charge("acme", "e1", 0, "0.10", "pbx-1", "b1"));
    places.clear();
    places.add(new SettledPlace(HOUR, 3, "pbx-1", "north", "USD", 0, new BigDecimal("0"), 0));
    assertThatThrownBy(this::export)
        .hasMessageContaining("pbx-1, EUR: 1 charges of 0.10 in the ledger")
        .hasMessageContaining("expected: 0 charges of 0");
  }

  @Test
  void shouldLeaveNothingBehindWhenTheLedgerFails() throws IOException {
    places.add(place("pbx-1", 1, "0.10", 0));
    SettledExport export =
        new SettledExport(
            (hour, bucket) -> {
              throw new IllegalStateException("ledger: gone");
            },
            lines());

    assertThatThrownBy(() -> export.write(MONTH, target)).hasMessage("ledger: gone");
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  private SettledExport.Summary export() throws SQLException, IOException {
    return new SettledExport(
            (hour, bucket) -> {
              assertThat(hour).isEqualTo(HOUR);
              assertThat(bucket).isEqualTo(3);
              return rows.iterator();
            },
            lines())
        .write(MONTH, target);
  }

  private SettledExport.Lines lines() {
    return new SettledExport.Lines() {
      @Override
      public void of(YearMonth month, PlaceConsumer<IOException> consumer)
          throws SQLException, IOException {
        for (Iterator<SettledPlace> all = places.iterator(); all.hasNext(); ) {
          consumer.accept(all.next());
        }
      }

      @Override
      public List<String> uncovered(long usageHour, String source) {
        return uncovered;
      }
    };
  }

  private static SettledPlace place(String source, long charges, String amount, long correction) {
    return new SettledPlace(
        HOUR, 3, source, "north", "EUR", charges, new BigDecimal(amount), correction);
  }

  private static Charge charge(
      String account, String event, long revision, String amount, String source, String batch) {
    BigDecimal money = new BigDecimal(amount);
    return new Charge(
        new Cdr(
            event,
            account,
            UsageType.VOICE,
            "+49301",
            "+44770",
            HOUR * 3_600_000 + 1_000,
            0,
            61_000,
            "ANSWERED",
            Map.of(),
            "",
            ""),
        1L,
        new Origin(source, batch, 0, 0, 0, 0),
        false,
        new Rating.Priced("gold", 7, "44", "UK, mobile", 120_000, List.of(), money, money, "EUR"),
        revision);
  }
}
