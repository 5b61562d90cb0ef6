package io.tollgate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class SeqTextTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "0; 0",
        "3,4,5,17; 3-5,17",
        "1,3,5; 1,3,5",
        "2147483646,2147483647; 2147483646-2147483647"
      })
  void writesRangesAndReadsThemAgain(String seqs, String text) {
    RoaringBitmap set = new RoaringBitmap();
    for (String seq : seqs.split(",", -1)) {
      set.add(Integer.parseInt(seq));
    }
    assertThat(SeqText.of(set)).isEqualTo(text);
    assertThat(SeqText.parse(text)).isEqualTo(set);
  }

  @Test
  void knowsTheEmptySet() {
    assertThat(SeqText.of(new RoaringBitmap())).isEmpty();
    assertThat(SeqText.parse("").isEmpty()).isTrue();
    assertThat(SeqText.parts(new RoaringBitmap(), 5)).isEmpty();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void partsAddUpToTheSet(long seed) {
    Random random = new Random(seed);
    RoaringBitmap set = new RoaringBitmap();
    for (int i = 0; i < 5_000; i++) {
      set.add(random.nextInt(20_000));
    }
    RoaringBitmap united = new RoaringBitmap();
    for (String part : SeqText.parts(set, 7)) {
      assertThat(part.split(",", -1).length).isLessThanOrEqualTo(7);
      RoaringBitmap seqs = SeqText.parse(part);
      assertThat(RoaringBitmap.intersects(united, seqs)).isFalse();
      united.or(seqs);
    }
    assertThat(united).isEqualTo(set);
  }

  @ParameterizedTest(name = "''{0}''")
  @ValueSource(strings = {"x", "1,", "5-3", "-1", "1-", "2147483648", "1 - 2"})
  void refusesWhatIsNoSet(String text) {
    assertThatThrownBy(() -> SeqText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: numbers and ranges");
  }
}
