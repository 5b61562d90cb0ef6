package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table in the javadoc of {@link SqlFailures}. */
class SqlFailuresTest {
  @ParameterizedTest
  @CsvSource({
    "08001, true",
    "08006, true",
    "40001, true",
    "40P01, true",
    "53300, true",
    "55P03, true",
    "57P01, true",
    "57P03, true",
    "58030, true",
    "25006, true",
    "25P03, true",
    "25001, false",
    "23505, false",
    "22P05, false",
    "42P01, false",
    "42501, false",
    "28P01, false",
    ", false"
  })
  void shouldTellWhatPassesFromWhatStays(String state, boolean isTransient) {
    assertThat(SqlFailures.isTransient(new SQLException("?", state))).isEqualTo(isTransient);
  }

  @Test
  void shouldLookBehindTheFirstExceptionOfABatch() {
    BatchUpdateException batch = new BatchUpdateException("?", "23000", new int[0]);
    batch.setNextException(new SQLException("?", "40P01"));

    assertThat(SqlFailures.isTransient(batch)).isTrue();
  }
}
