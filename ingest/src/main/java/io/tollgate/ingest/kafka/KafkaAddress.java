package io.tollgate.ingest.kafka;

import io.tollgate.ingest.batch.OutboxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * Where Kafka is, and the two topics that ingest writes to.
 *
 * @param bootstrap {@code host:port} of one or more brokers, separated by commas
 * @param cdrTopic topic of the records
 * @param controlTopic topic of announcements and control totals
 * @param properties further settings of the clients, such as security
 */
public record KafkaAddress(
    String bootstrap, String cdrTopic, String controlTopic, Map<String, String> properties) {

  public KafkaAddress {
    properties = Map.copyOf(properties);
  }

  /**
   * Checks that Kafka answers and has both topics.
   *
   * @param patience how long to wait for an answer
   * @throws OutboxException saying which is missing, where it was looked for and what to do
   */
  public void check(Duration patience) {
    Map<String, Object> settings = new HashMap<>(properties);
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    int patienceMillis = (int) patience.toMillis();
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMillis);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMillis);
    try (Admin admin = Admin.create(settings)) {
      Set<String> present = admin.listTopics().names().get(patienceMillis, TimeUnit.MILLISECONDS);
      Set<String> absent = new TreeSet<>(List.of(cdrTopic, controlTopic));
      absent.removeAll(present);
      if (!absent.isEmpty()) {
        throw new OutboxException(
            "kafka: no topic "
                + String.join(", ", absent)
                + " at "
                + bootstrap
                + " (expected: topics made by ./tollgate up)");
      }
    } catch (ExecutionException | TimeoutException e) {
      throw absent(patience, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OutboxException("kafka: interrupted while waiting for " + bootstrap, e);
    } catch (ConfigException e) {
      throw new OutboxException("kafka.bootstrap: " + bootstrap + " (" + e.getMessage() + ")", e);
    } catch (org.apache.kafka.common.KafkaException e) {
      throw absent(patience, e);
    }
  }

  private OutboxException absent(Duration patience, Exception cause) {
    return new OutboxException(
        "kafka: no answer from "
            + bootstrap
            + " within "
            + patience.toSeconds()
            + " s (expected: a broker; start one with ./tollgate up, or set kafka.bootstrap)",
        cause);
  }
}
