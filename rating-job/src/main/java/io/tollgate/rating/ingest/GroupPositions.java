package io.tollgate.rating.ingest;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets committed offsets of a consumer group; repeats until Kafka has taken them. */
final class GroupPositions {
  private static final Logger LOG = LoggerFactory.getLogger(GroupPositions.class);
  private static final long PAUSE_MILLIS = 1_000;

  private final Properties client;
  private final String group;

  GroupPositions(Properties client, String group) {
    this.client = client;
    this.group = group;
  }

  void set(Map<TopicPartition, Long> positions) throws InterruptedException {
    if (positions.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    positions.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
    try (Admin admin = Admin.create(client)) {
      boolean said = false;
      while (true) {
        try {
          admin.alterConsumerGroupOffsets(group, offsets).all().get();
          return;
        } catch (ExecutionException e) {
          if (!said) {
            LOG.warn(
                "The start positions of group {} could not be committed, trying again until they"
                    + " are. Check that Kafka is reachable from the TaskManagers.",
                group,
                e.getCause());
            said = true;
          }
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    }
  }
}
