package io.tollgate.rating.ingest;

import io.tollgate.source.GroupOffsets;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
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
    try (GroupOffsets offsets = new GroupOffsets(client, group)) {
      boolean said = false;
      while (true) {
        try {
          offsets.commit(positions).toCompletableFuture().get();
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
