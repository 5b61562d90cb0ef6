package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.ingest.kafka.KafkaAddress;
import java.util.HashMap;
import java.util.Map;

/** The Kafka of a configuration, as ingest wants it. */
final class KafkaOfConfig {
  private KafkaOfConfig() {}

  static KafkaAddress address(TollgateConfig config) {
    TollgateConfig.Kafka kafka = config.kafka();
    Map<String, String> properties = new HashMap<>();
    kafka.properties().forEach((name, secret) -> properties.put(name, secret.value()));
    return new KafkaAddress(
        kafka.bootstrapServers(), kafka.topics().cdr(), kafka.topics().control(), properties);
  }
}
