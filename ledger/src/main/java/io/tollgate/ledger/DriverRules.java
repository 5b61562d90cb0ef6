package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.DriverOption;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the driver's configuration must keep for an acknowledgement to mean what it says. Checked on
 * the configuration in force, because system properties and an {@code application.conf} on the
 * class path override what this program sets.
 */
final class DriverRules {
  private static final Map<DriverOption, Set<String>> ALLOWED =
      Map.of(
          // A downgrading policy reports success on one replica; the driver's own default retries
          // where nobody counts it.
          DefaultDriverOption.RETRY_POLICY_CLASS,
          Set.of(RethrowPolicy.class.getName()),
          DefaultDriverOption.REQUEST_CONSISTENCY,
          Set.of(DefaultConsistencyLevel.LOCAL_QUORUM.name()),
          DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY,
          Set.of(DefaultConsistencyLevel.LOCAL_SERIAL.name()),
          // A second copy of a slow request loads a cluster that is slow already.
          DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
          Set.of(
              NoSpeculativeExecutionPolicy.class.getName(),
              NoSpeculativeExecutionPolicy.class.getSimpleName()));

  private DriverRules() {}

  /**
   * Refuses a configuration under which an acknowledged charge could be lost.
   *
   * @throws LedgerException naming every option that breaks a rule, in every profile
   */
  static void check(DriverConfig config) {
    List<String> broken = new ArrayList<>();
    config.getProfiles().values().forEach(profile -> check(profile, broken));
    if (!broken.isEmpty()) {
      broken.sort(null);
      throw new LedgerException(
          "The Cassandra driver's configuration would weaken the ledger; remove it from system"
              + " properties and from application.conf:\n"
              + String.join("\n", broken));
    }
  }

  private static void check(DriverExecutionProfile profile, List<String> broken) {
    ALLOWED.forEach(
        (option, allowed) -> {
          String value = profile.getString(option, "absent");
          if (!allowed.contains(value)) {
            broken.add(
                "datastax-java-driver."
                    + option.getPath()
                    + " (profile "
                    + profile.getName()
                    + "): "
                    + value
                    + " (expected: "
                    + allowed.stream().sorted().findFirst().orElseThrow()
                    + ")");
          }
        });
  }
}
