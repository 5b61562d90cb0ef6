package io.tollgate.localstack;

import java.util.List;

/**
 * How much memory the servers may use: the only place for Kafka, Cassandra and PostgreSQL. Flink's
 * sizes stand in flink-conf/config.yaml, because they count for every cluster.
 */
final class Memory {
  static final List<String> KAFKA_JVM = List.of("-Xms256m", "-Xmx400m", "-XX:+UseG1GC");

  // Beside its heap Cassandra holds about 600 MB: memtables, chunk cache, Netty, metaspace.
  static final List<String> CASSANDRA_JVM =
      List.of("-Xms512m", "-Xmx1g", "-XX:MaxDirectMemorySize=400m", "-XX:+UseParallelGC");

  // It coordinates and computes nothing: small and quick to start counts.
  static final List<String> JOB_MANAGER_JVM =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  static final String POSTGRES_SHARED_BUFFERS = "64MB";

  /** For short-lived helpers, which must start fast and are gone after a second. */
  static final List<String> HELPER_JVM =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  /** Flink's own command line: it runs the main method of a job. */
  static final List<String> FLINK_CLI_JVM = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

  private Memory() {}
}
