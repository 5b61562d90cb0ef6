package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverRulesTest {
  private static final String PREFIX = "datastax-java-driver.";
  private static final LedgerConnection CONNECTION =
      new LedgerConnection(
          List.of("127.0.0.1:1"), "dc1", "ledger", 1, Duration.ofSeconds(1), null, null);

  private String overridden = "not set";

  @AfterEach
  void takeTheOverrideBack() {
    System.clearProperty(overridden);
  }

  @Test
  void acceptTheLedgersOwnConfiguration() {
    assertThatCode(this::check).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "advanced.retry-policy.class, ConsistencyDowngradingRetryPolicy",
    "advanced.retry-policy.class, DefaultRetryPolicy",
    "profiles.slow.advanced.retry-policy.class, ConsistencyDowngradingRetryPolicy",
    "basic.request.consistency, ONE",
    "basic.request.consistency, ANY",
    "profiles.slow.basic.request.consistency, LOCAL_ONE",
    "basic.request.serial-consistency, SERIAL",
    "advanced.speculative-execution-policy.class, ConstantSpeculativeExecutionPolicy",
  })
  void refuseWhatSystemPropertiesWouldWeaken(String option, String value) {
    overridden = PREFIX + option;
    System.setProperty(overridden, value);

    assertThatThrownBy(this::check)
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining(option.replaceAll("profiles.slow.", ""))
        .hasMessageContaining(value + " (expected: ");
  }

  private void check() {
    DriverConfigLoader loader = LedgerSession.driverConfig(CONNECTION, null);
    try {
      DriverRules.check(loader.getInitialConfig());
    } finally {
      loader.close();
    }
  }
}
