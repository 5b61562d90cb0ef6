package io.tollgate.wire.tariff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.tariff.Correction;
import io.tollgate.domain.tariff.Correction.ChargeKey;
import io.tollgate.domain.tariff.Correction.Prices;
import io.tollgate.domain.tariff.Correction.Reprice;
import io.tollgate.domain.tariff.Correction.VoidCharge;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.wire.UnreadableException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CorrectionCodecTest {
  private static final ChargeKey KEY = new ChargeKey("acme", "switch/\u00e9", 480_000);

  private static TariffBook book(long version, String price) {
    return TariffBook.builder(version)
        .plan("p", p -> p.rate(r -> r.voice("+49", "Germany").perMinute(price)))
        .assignDefault("p")
        .build();
  }

  static Stream<Correction> corrections() {
    return Stream.of(
        new Prices(1, "typing error", -5, 90, List.of("one", "two"), 1, book(2, "0.05")),
        new VoidCharge(2, "test call", KEY),
        new Reprice(3, "row overwritten", KEY));
  }

  @ParameterizedTest
  @MethodSource("corrections")
  void shouldReadWhatItWrote(Correction correction) throws Exception {
    byte[] message = CorrectionCodec.encode(correction);
    assertThat(CorrectionCodec.isCorrection(message)).isTrue();
    assertThat(CorrectionCodec.decode(message, null)).isEqualTo(correction);
    assertThat(CorrectionCodec.decode(message, book(1, "0.05"))).isEqualTo(correction);
  }

  @ParameterizedTest
  @MethodSource("corrections")
  void shouldRefuseWhatIsDamaged(Correction correction) {
    byte[] message = CorrectionCodec.encode(correction);
    for (int i = 0; i < message.length; i++) {
      byte[] damaged = message.clone();
      damaged[i] ^= 0x10;
      assertThatThrownBy(() -> CorrectionCodec.decode(damaged, null))
          .as("byte %d", i)
          .isInstanceOf(UnreadableException.class);
      byte[] cut = Arrays.copyOf(message, i);
      assertThatThrownBy(() -> CorrectionCodec.decode(cut, null))
          .isInstanceOf(UnreadableException.class);
    }
  }

  @Test
  void shouldKeepTheLastGoodHistory() throws Exception {
    HistoryReader reader = new HistoryReader();
    reader.take(TariffBookCodec.encode(book(1, "0.05")));
    byte[] early = CorrectionCodec.encode(new VoidCharge(2, "r", KEY));
    assertThatThrownBy(() -> reader.take(early))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("expected: 1");
    byte[] ofAnotherBook =
        CorrectionCodec.encode(new Prices(1, "r", 0, 1, List.of(), 7, book(8, "1")));
    assertThatThrownBy(() -> reader.take(ofAnotherBook)).isInstanceOf(UnreadableException.class);
    assertThatThrownBy(() -> reader.take(new byte[] {1, 2, 3}))
        .isInstanceOf(UnreadableException.class);
    assertThat(reader.history().version()).isEqualTo(1);
    assertThat(reader.history().lastCorrection()).isZero();
    reader.take(CorrectionCodec.encode(new VoidCharge(1, "r", KEY)));
    assertThat(reader.take(early).lastCorrection()).isEqualTo(2);
  }
}
