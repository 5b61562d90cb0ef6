package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.ledger.Charge;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChargeCodecTest {
  private final ChargeCodec codec = new ChargeCodec();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void givesBackWhatItWasGiven(long seed) {
    for (Charge charge : new ChargeGenerator(seed).take(500)) {
      assertThat(decode(charge, codec.encode(charge))).isEqualTo(charge);
    }
  }

  @Test
  void keepsTheScaleOfAnAmount() {
    Charge charge = ChargeGenerator.withAmount(new ChargeGenerator(1).next(), "1.2300");

    assertThat(decode(charge, codec.encode(charge)).rating().amount().toPlainString())
        .isEqualTo("1.2300");
  }

  @Test
  void keepsNegativeAndVeryLargeAmounts() {
    for (String amount : new String[] {"-0.01", "0", "-92233720368547758080.000001", "1E+3"}) {
      Charge charge = ChargeGenerator.withAmount(new ChargeGenerator(1).next(), amount);

      assertThat(decode(charge, codec.encode(charge))).isEqualTo(charge);
    }
  }

  @Test
  void refusesEveryTruncatedCell() {
    Charge charge = new ChargeGenerator(7).next();
    ByteBuffer cell = codec.encode(charge);

    for (int length = 0; length < cell.remaining(); length++) {
      ByteBuffer truncated = cell.duplicate().limit(length).slice();
      assertThatThrownBy(() -> decode(charge, truncated)).isInstanceOf(LedgerException.class);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void neverFailsInAnotherWayOnDamagedCells(long seed) {
    Random random = new Random(seed);
    Charge charge = new ChargeGenerator(seed).next();
    for (int i = 0; i < 20_000; i++) {
      ByteBuffer cell = codec.encode(charge);
      cell.put(random.nextInt(cell.remaining()), (byte) random.nextInt());
      try {
        assertThat(decode(charge, cell)).isNotNull();
      } catch (LedgerException expected) {
        assertThat(expected).hasMessageContaining("expected");
      }
    }
  }

  private static Charge decode(Charge key, ByteBuffer cell) {
    return ChargeCodec.decode(key.cdr().accountId(), key.cdr().eventId(), key.revision(), cell);
  }
}
