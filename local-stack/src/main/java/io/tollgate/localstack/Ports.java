package io.tollgate.localstack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The TCP ports of the local stack, all on the loopback address. This is the only place that gives
 * them numbers.
 *
 * @param kafka Kafka clients
 * @param kafkaController Kafka's own controller
 * @param cassandra CQL clients
 * @param cassandraStorage Cassandra nodes among themselves
 * @param postgres PostgreSQL clients
 * @param flinkRest Flink's dashboard and REST interface
 * @param flinkRpc Flink's JobManager for its TaskManagers
 * @param flinkMetrics figures of the JobManager for Prometheus; TaskManager n has the n-th port
 *     after it
 */
public record Ports(
    int kafka,
    int kafkaController,
    int cassandra,
    int cassandraStorage,
    int postgres,
    int flinkRest,
    int flinkRpc,
    int flinkMetrics) {
  /** Where the ports of {@code ./tollgate up} begin unless tollgate.yaml gives others. */
  public static final int DEFAULT_BASE = 19_000;

  /** The most TaskManagers a stack can have: each needs a port for its figures. */
  public static final int TASK_MANAGERS_MAX = 20;

  /** The highest base: all ports must stay below 65,536. */
  public static final int BASE_MAX = 65_000;

  private static final int BASE_MIN = 1_024;

  // Below what Linux hands to outgoing connections (from 32768), so that no client takes the port
  // of a server while that is being restarted.
  private static final int FREE_FROM = 22_000;
  private static final int FREE_TO = 32_000;

  public Ports {
    Map<String, Integer> named =
        named(
            kafka,
            kafkaController,
            cassandra,
            cassandraStorage,
            postgres,
            flinkRest,
            flinkRpc,
            flinkMetrics);
    List<String> faults = new ArrayList<>();
    Map<Integer, String> owners = new LinkedHashMap<>();
    named.forEach(
        (name, port) -> {
          if (port < 1 || port > 65_535) {
            faults.add("stack.ports." + name + ": " + port + " (expected: 1 to 65535)");
          }
          String owner = owners.putIfAbsent(port, name);
          if (owner != null) {
            faults.add(
                "stack.ports." + name + ": " + port + " (expected: not the port of " + owner + ")");
          }
        });
    named.forEach(
        (name, port) -> {
          if (port > flinkMetrics && port <= flinkMetrics + TASK_MANAGERS_MAX) {
            faults.add(
                "stack.ports."
                    + name
                    + ": "
                    + port
                    + " (expected: outside "
                    + flinkMetrics
                    + " to "
                    + (flinkMetrics + TASK_MANAGERS_MAX)
                    + ", the figures of Flink's processes)");
          }
        });
    if (flinkMetrics + TASK_MANAGERS_MAX > 65_535) {
      faults.add(
          "stack.ports.flink_metrics: "
              + flinkMetrics
              + " (expected: room for "
              + TASK_MANAGERS_MAX
              + " ports after it)");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", faults));
    }
  }

  /** Returns the ports of {@code ./tollgate up} unless tollgate.yaml gives others. */
  public static Ports defaults() {
    return fromBase(DEFAULT_BASE);
  }

  /**
   * Returns ports that begin at a number; each keeps the last digits of its server's usual port.
   *
   * @param base 1,024 to {@value #BASE_MAX}
   */
  public static Ports fromBase(int base) {
    if (base < BASE_MIN || base > BASE_MAX) {
      throw new IllegalArgumentException(
          "port base: " + base + " (expected: " + BASE_MIN + " to " + BASE_MAX + ")");
    }
    return new Ports(
        base + 92, base + 93, base + 42, base + 70, base + 432, base + 81, base + 123, base + 249);
  }

  /** Returns ports of which each is free at this moment; for tests. */
  public static Ports free() {
    Set<Integer> chosen = new HashSet<>();
    int metrics = freeRun(TASK_MANAGERS_MAX + 1, chosen);
    return new Ports(
        freeRun(1, chosen),
        freeRun(1, chosen),
        freeRun(1, chosen),
        freeRun(1, chosen),
        freeRun(1, chosen),
        freeRun(1, chosen),
        freeRun(1, chosen),
        metrics);
  }

  /** Returns the port on which TaskManager {@code number} (from 1) gives its figures. */
  public int taskManagerMetrics(int number) {
    if (number < 1 || number > TASK_MANAGERS_MAX) {
      throw new IllegalArgumentException(
          "TaskManager: " + number + " (expected: 1 to " + TASK_MANAGERS_MAX + ")");
    }
    return flinkMetrics + number;
  }

  /** Returns the ports by the names they have in {@code tollgate.yaml} under stack.ports. */
  public Map<String, Integer> named() {
    return named(
        kafka,
        kafkaController,
        cassandra,
        cassandraStorage,
        postgres,
        flinkRest,
        flinkRpc,
        flinkMetrics);
  }

  /** The inverse of {@link #named()}. */
  static Ports ofNamed(Map<String, Integer> named) {
    return new Ports(
        required(named, "kafka"),
        required(named, "kafka_controller"),
        required(named, "cassandra"),
        required(named, "cassandra_storage"),
        required(named, "postgres"),
        required(named, "flink_rest"),
        required(named, "flink_rpc"),
        required(named, "flink_metrics"));
  }

  /** Says whether nothing listens on a port of the loopback address. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int required(Map<String, Integer> named, String name) {
    Integer port = named.get(name);
    if (port == null) {
      throw new IllegalArgumentException("stack.ports." + name + ": missing (expected: a port)");
    }
    return port;
  }

  private static Map<String, Integer> named(
      int kafka,
      int kafkaController,
      int cassandra,
      int cassandraStorage,
      int postgres,
      int flinkRest,
      int flinkRpc,
      int flinkMetrics) {
    Map<String, Integer> named = new LinkedHashMap<>();
    named.put("kafka", kafka);
    named.put("kafka_controller", kafkaController);
    named.put("cassandra", cassandra);
    named.put("cassandra_storage", cassandraStorage);
    named.put("postgres", postgres);
    named.put("flink_rest", flinkRest);
    named.put("flink_rpc", flinkRpc);
    named.put("flink_metrics", flinkMetrics);
    return named;
  }

  private static int freeRun(int length, Set<Integer> chosen) {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int first = ThreadLocalRandom.current().nextInt(FREE_FROM, FREE_TO - length);
      boolean free = true;
      for (int port = first; free && port < first + length; port++) {
        free = !chosen.contains(port) && isFree(port);
      }
      if (free) {
        for (int port = first; port < first + length; port++) {
          chosen.add(port);
        }
        return first;
      }
    }
    throw new IllegalStateException(
        "no " + length + " free ports in a row between " + FREE_FROM + " and " + FREE_TO);
  }
}
