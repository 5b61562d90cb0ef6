package io.tollgate.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules that bind two keys together. */
final class CrossRules {
  private static final List<Key<Integer>> PORTS =
      List.of(
          Keys.STACK_PORTS_KAFKA,
          Keys.STACK_PORTS_KAFKA_CONTROLLER,
          Keys.STACK_PORTS_CASSANDRA,
          Keys.STACK_PORTS_CASSANDRA_STORAGE,
          Keys.STACK_PORTS_POSTGRES,
          Keys.STACK_PORTS_FLINK_REST,
          Keys.STACK_PORTS_FLINK_RPC,
          Keys.STACK_PORTS_FLINK_METRICS);

  private static final int POLLS_OF_A_LEASE = 3;

  private CrossRules() {}

  static void check(TollgateConfig config, ConfigValues values, ConfigFaults faults) {
    if (!faults.isEmpty()) {
      // A key that failed has its default here; comparing that would name faults nobody made.
      return;
    }
    leadTime(config, values, faults);
    lease(config, values, faults);
    differentPorts(values, faults);
    userAndPassword(config, values, faults);
  }

  private static void leadTime(TollgateConfig config, ConfigValues values, ConfigFaults faults) {
    if (config.tariffs().leadTime().compareTo(config.rating().maxAhead()) < 0) {
      String key = Keys.TARIFFS_LEAD_TIME.path();
      faults.add(
          Math.max(values.line(key), values.line(Keys.RATING_MAX_AHEAD.path())),
          key,
          ValueType.shown(config.tariffs().leadTime())
              + " (expected: at least rating.max_ahead, "
              + ValueType.shown(config.rating().maxAhead())
              + ")");
    }
  }

  private static void lease(TollgateConfig config, ConfigValues values, ConfigFaults faults) {
    TollgateConfig.Gate gate = config.rating().gate();
    if (gate.lease().compareTo(gate.poll().multipliedBy(POLLS_OF_A_LEASE)) < 0) {
      String key = Keys.RATING_GATE_LEASE.path();
      faults.add(
          Math.max(values.line(key), values.line(Keys.RATING_GATE_POLL.path())),
          key,
          ValueType.shown(gate.lease())
              + " (expected: at least three times rating.gate.poll, "
              + ValueType.shown(gate.poll())
              + ")");
    }
  }

  private static void differentPorts(ConfigValues values, ConfigFaults faults) {
    Map<Integer, String> owners = new HashMap<>();
    for (Key<Integer> key : PORTS) {
      Integer port = values.get(key);
      String owner = owners.putIfAbsent(port, key.path());
      if (owner != null) {
        faults.add(
            Math.max(values.line(key.path()), values.line(owner)),
            key.path(),
            port + " (expected: a port that no other key has; " + owner + " has it)");
      }
    }
  }

  private static void userAndPassword(
      TollgateConfig config, ConfigValues values, ConfigFaults faults) {
    boolean hasUser = config.cassandra().username() != null;
    boolean hasPassword = config.cassandra().password() != null;
    if (hasUser != hasPassword) {
      Key<?> given = hasUser ? Keys.CASSANDRA_USERNAME : Keys.CASSANDRA_PASSWORD;
      Key<?> absent = hasUser ? Keys.CASSANDRA_PASSWORD : Keys.CASSANDRA_USERNAME;
      faults.add(
          values.line(given.path()),
          absent.path(),
          "absent (expected: given together with " + given.path() + ")");
    }
  }
}
