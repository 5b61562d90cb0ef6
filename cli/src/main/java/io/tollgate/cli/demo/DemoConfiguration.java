package io.tollgate.cli.demo;

import io.tollgate.config.TollgateConfig;
import io.tollgate.localstack.LocalStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the configuration of an installation on a local stack. */
public final class DemoConfiguration {
  /** Cycles of reconciliation that a person can wait for. */
  public static final String QUICK_CYCLES =
      """
      reconcile:
        interval: 5s
        sweep: 5s
        settle_after: 10s
      """;

  /** For a run of the rating job without the reconcile job. */
  public static final String RATING_ALONE =
      """
      reconcile:
        required: false    # nothing but the rating job runs here
      """;

  private DemoConfiguration() {}

  /**
   * Writes {@code tollgate.yaml} into a folder and reads it.
   *
   * @param stack where the servers are
   * @param more further lines, such as the sources
   */
  public static Path write(Path folder, LocalStack stack, String more) {
    String yaml =
        """
        # Written for this run of the local stack.
        kafka:
          bootstrap: %s
        cassandra:
          contact_points: %s
          datacenter: %s
        postgres:
          url: %s
          user: %s
        flink:
          rest: %s
        """
            .formatted(
                stack.kafkaBootstrap(),
                stack.cassandraContactPoint(),
                stack.cassandraDatacenter(),
                stack.jdbcUrl(),
                stack.postgresUser(),
                stack.flinkRest());
    Path file = folder.resolve("tollgate.yaml");
    try {
      Files.createDirectories(folder);
      Files.writeString(file, yaml + "\n" + more);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    TollgateConfig.read(file);
    return file;
  }
}
