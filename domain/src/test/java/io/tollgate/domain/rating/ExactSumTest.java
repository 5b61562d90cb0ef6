package io.tollgate.domain.rating;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactSumTest {
  private static final List<RoundingMode> MODES =
      List.of(
          RoundingMode.UP,
          RoundingMode.DOWN,
          RoundingMode.CEILING,
          RoundingMode.FLOOR,
          RoundingMode.HALF_UP,
          RoundingMode.HALF_DOWN,
          RoundingMode.HALF_EVEN);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void shouldEqualBigIntegersWhateverTheSize(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 3000; i++) {
      int scale = random.nextInt(ExactSum.MAX_LONG_SCALE + 1);
      ExactSum sum = new ExactSum(scale);
      BigInteger numerator = BigInteger.ZERO;
      BigInteger denominator = BigInteger.TEN.pow(scale);
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        long rate = random.nextLong() >>> random.nextInt(64);
        long usage = random.nextLong() >>> (14 + random.nextInt(50));
        long per = 1 + (random.nextLong() >>> (14 + random.nextInt(50)));
        sum.addProduct(rate, usage, per);
        BigInteger added = BigInteger.valueOf(rate).multiply(BigInteger.valueOf(usage));
        numerator =
            numerator
                .multiply(BigInteger.valueOf(per))
                .add(added.multiply(denominator.divide(BigInteger.TEN.pow(scale))));
        denominator = denominator.multiply(BigInteger.valueOf(per));
      }
      int decimals = random.nextInt(21);
      RoundingMode mode = MODES.get(random.nextInt(MODES.size()));
      BigDecimal expected =
          new BigDecimal(numerator).divide(new BigDecimal(denominator), decimals, mode);
      BigDecimal cut =
          new BigDecimal(numerator).divide(new BigDecimal(denominator), 15, RoundingMode.DOWN);
      assertThat(sum.copy().rounded(decimals, mode)).as("case %d", i).isEqualTo(expected);
      if (scale <= 15) { // otherwise an exact value may be shown with more decimals
        assertThat(sum.copy().shown(0)).as("case %d", i).isEqualByComparingTo(cut);
      }
      BigDecimal limit = expected.setScale(scale, RoundingMode.HALF_UP);
      int order = new BigDecimal(numerator).compareTo(limit.multiply(new BigDecimal(denominator)));
      assertThat(sum.compareTo(limit)).as("case %d", i).isEqualTo(order);
    }
  }

  @Test
  void shouldCountHowOftenAProductFitsBelowALimit() {
    ExactSum sum = new ExactSum(2);
    sum.add(10); // 0.10
    BigDecimal third = new BigDecimal("1");
    assertThat(sum.copy().timesBelow(new BigDecimal("1.10"), third, 1, 3)).isEqualTo(3);
    assertThat(sum.copy().timesBelow(new BigDecimal("1.09"), third, 1, 3)).isEqualTo(2);
    assertThat(sum.copy().timesBelow(new BigDecimal("0.09"), third, 1, 3)).isZero();
    assertThat(sum.copy().timesBelow(new BigDecimal("1"), BigDecimal.ZERO, 1, 3))
        .isEqualTo(Long.MAX_VALUE);
  }
}
