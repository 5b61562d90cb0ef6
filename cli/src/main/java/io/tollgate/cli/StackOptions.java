package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.localstack.Ports;
import io.tollgate.localstack.StackSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Which local stack is meant: tollgate.yaml says it, options of the command line have the last
 * word.
 */
final class StackOptions {
  @Mixin private ConfigOption config = new ConfigOption();

  @Option(
      names = "--data-dir",
      paramLabel = "FOLDER",
      description = "Data and logs of the servers (default: stack.data of the configuration).")
  private @Nullable Path dataDir;

  @Option(
      names = "--port-base",
      paramLabel = "PORT",
      description =
          "Begin all ports at this number (default: stack.ports of the configuration, which begin"
              + " at 19000).")
  private @Nullable Integer portBase;

  /** Returns the configuration, which may mean other servers than those of the stack. */
  TollgateConfig configuration() {
    return config.find().config();
  }

  /** Returns the file that the configuration was read from; absent if the defaults count. */
  @Nullable Path configurationFile() {
    return config.find().file();
  }

  /** Returns how the stack shall be when it is started. */
  StackSettings wanted() {
    ConfigOption.Found found = config.find();
    TollgateConfig.Stack stack = found.config().stack();
    return StackSettings.defaults()
        .withDataDir(dataDir(found))
        .withPorts(portBase == null ? ports(stack.ports()) : Ports.fromBase(portBase));
  }

  /** Returns how the stack was started last, or how it would be. */
  StackSettings existing() {
    StackSettings wanted = wanted();
    return StackSettings.lastUsed(wanted.dataDir()).orElse(wanted);
  }

  private Path dataDir(ConfigOption.Found found) {
    return dataDir == null ? found.folder().resolve(found.config().stack().data()) : dataDir;
  }

  static Ports ports(TollgateConfig.Ports ports) {
    return new Ports(
        ports.kafka(),
        ports.kafkaController(),
        ports.cassandra(),
        ports.cassandraStorage(),
        ports.postgres(),
        ports.flinkRest(),
        ports.flinkRpc(),
        ports.flinkMetrics());
  }
}
