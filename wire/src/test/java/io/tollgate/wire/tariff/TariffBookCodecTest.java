package io.tollgate.wire.tariff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.domain.tariff.Assignment;
import io.tollgate.domain.tariff.BandCrossing;
import io.tollgate.domain.tariff.IncrementMeaning;
import io.tollgate.domain.tariff.MaximumPolicy;
import io.tollgate.domain.tariff.PriceChange;
import io.tollgate.domain.tariff.StepMeaning;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.domain.tariff.Validity;
import io.tollgate.domain.tariff.When;
import io.tollgate.wire.UnreadableException;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TariffBookCodecTest {
  private static final Validity YEAR =
      Validity.between(
          Instant.parse("2024-01-01T00:00:00Z"), Instant.parse("2025-01-01T00:00:00Z"));

  /** A book in which every field has a value of its own. */
  private static TariffBook book() {
    return TariffBook.builder(9)
        .calendar("de", Map.of(LocalDate.of(2024, 10, 3), "Unity Day"))
        .plan(
            "full",
            p ->
                p.currency("JPY")
                    .zone("Europe/Vienna")
                    .rounding(RoundingMode.HALF_EVEN, 0)
                    .bandCrossing(BandCrossing.SPLIT_AND_ROUND)
                    .increments(IncrementMeaning.BLOCKS_OF_TOTAL)
                    .priceChange(PriceChange.CALL_START)
                    .steps(StepMeaning.VOLUME)
                    .inMilliseconds()
                    .band(
                        "peak",
                        When.ALWAYS
                            .onWeekdays(1, 5)
                            .inMonths(1, 12)
                            .onMonthDays(1, 31)
                            .inYears(List.of(2024, 2026))
                            .onDates(List.of(LocalDate.of(1969, 12, 31)))
                            .onCalendars(List.of("de"))
                            .between(60, 86_400)
                            .withPriority(-7))
                    .freeNumber("112", "Emergency")
                    .freePrefix("+49800", "Toll-free")
                    .rate(
                        r ->
                            r.voice("+49", "Germany")
                                .band("peak")
                                .rate("0.0000001")
                                .per(61_000)
                                .rawIncrements(30_000, 6_000)
                                .connectionFee("0.5")
                                .stepFee("0.25")
                                .minimum("0.1")
                                .maximum("30", MaximumPolicy.DISCONNECT)
                                .free(5_000)
                                .valid(YEAR)
                                .version(3))
                    .rate(
                        r ->
                            r.voice("+49", "Germany")
                                .band("peak")
                                .from(60_000)
                                .perMinute("2")
                                .valid(YEAR))
                    .rate(r -> r.of(UsageType.DATA, "internet", "Internet").perUnit("0.1")))
        .plan("flat", p -> p.rate(r -> r.sms("", "Überall").perUnit("1")))
        .assign(Assignment.Kind.ACCOUNT, "acme-17", "full", YEAR)
        .assign(Assignment.Kind.ACCOUNT_PREFIX, "acme-", "flat", Validity.ALWAYS)
        .assignDefault("flat")
        .build();
  }

  @Test
  void shouldGiveBackTheSameBook() throws UnreadableException {
    TariffBook book = book();
    TariffBook read = TariffBookCodec.decode(TariffBookCodec.encode(book));
    assertThat(read).isEqualTo(book);
    assertThat(read.digest()).isEqualTo(book.digest());
    assertThat(read.plans().get(1).rates()).extracting("version").contains(3L, 9L);
  }

  @Test
  void shouldWriteTheSameBytesForTheSameBook() {
    assertThat(TariffBookCodec.encode(book())).isEqualTo(TariffBookCodec.encode(book()));
  }

  @Test
  void shouldRefuseAFormatItDoesNotKnow() {
    byte[] message = TariffBookCodec.encode(book());
    message[3] = 2;
    assertThatThrownBy(() -> TariffBookCodec.decode(message))
        .isInstanceOfSatisfying(
            UnreadableException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_SCHEMA))
        .hasMessage("tariff book: format 2 (expected: 1)");
  }

  @Test
  void shouldRefuseEveryMessageThatIsCutOff() {
    byte[] message = TariffBookCodec.encode(book());
    for (int length = 0; length < message.length; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertThatThrownBy(() -> TariffBookCodec.decode(cut))
          .as("first %d bytes", length)
          .isInstanceOf(UnreadableException.class);
    }
    byte[] longer = Arrays.copyOf(message, message.length + 1);
    assertThatThrownBy(() -> TariffBookCodec.decode(longer))
        .hasMessageContaining("1 bytes after the body");
  }

  @Test
  void shouldRefuseEveryMessageWithAFlippedBit() {
    byte[] message = TariffBookCodec.encode(book());
    for (int bit = 0; bit < message.length * 8; bit++) {
      byte[] flipped = message.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        // Deflate has a few unused bits: then the book is the same.
        assertThat(TariffBookCodec.decode(flipped)).as("bit %d", bit).isEqualTo(book());
      } catch (UnreadableException e) {
        assertThat(e.detail()).startsWith("tariff book: ");
      }
    }
  }

  @Test
  void shouldRefuseAHugeBodyBeforeAllocatingIt() {
    byte[] message = TariffBookCodec.encode(book());
    ByteBuffer.wrap(message).putInt(4, Integer.MAX_VALUE);
    assertThatThrownBy(() -> TariffBookCodec.decode(message))
        .hasMessageContaining("body of 2147483647 bytes");
  }

  @Test
  void shouldNeverFailOtherwiseOnAnyBody() {
    byte[] body = new BookWriter().write(book());
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      byte[] broken = body.clone();
      for (int n = random.nextInt(4); n >= 0; n--) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      }
      try {
        new BookReader(broken, null).read();
      } catch (UnreadableException e) {
        assertThat(e.detail()).startsWith("tariff book: ");
      }
    }
  }

  @Test
  void shouldRefuseBytesAfterTheBook() {
    byte[] body = new BookWriter().write(book());
    assertThatThrownBy(() -> new BookReader(Arrays.copyOf(body, body.length + 1), null).read())
        .hasMessageContaining("1 bytes after the book");
  }

  @Test
  void shouldKeepTwoHundredThousandRowsBelowTheTopicsLimit() throws UnreadableException {
    TariffBook book =
        TariffBook.builder(1)
            .plan(
                "big",
                p -> {
                  for (int i = 0; i < 200_000; i++) {
                    String rate = "0." + (1000 + i % 9000);
                    String prefix = "+" + (1_000_000 + i * 7);
                    p.rate(r -> r.voice(prefix, prefix).perMinute(rate));
                  }
                  return p;
                })
            .assignDefault("big")
            .build();
    byte[] message = TariffBookCodec.encode(book);
    assertThat(message.length).isLessThan(8 << 20);
    assertThat(TariffBookCodec.decode(message)).isEqualTo(book);
  }
}
