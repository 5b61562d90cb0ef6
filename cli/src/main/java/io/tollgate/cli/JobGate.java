package io.tollgate.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.config.TollgateConfig;
import io.tollgate.ledger.gate.GateDecision.Pause;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The gate as the running rating job has it, from the JobManager's metrics: only the job itself
 * knows how long ago it saw the heartbeat of reconciliation change.
 */
final class JobGate {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String JOB = "tollgate-rating";
  private static final String STATE = ".gate.state";
  private static final String PAUSE = ".gate.pause";

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final URI rest;
  private final String installation;

  /**
   * Creates the question.
   *
   * @param installation which installation the job belongs to; those of others do not count
   */
  JobGate(URI rest, String installation) {
    this.rest = rest;
    this.installation = installation;
  }

  /**
   * What the job says.
   *
   * @param state code of the state; empty if no rating job runs or it has not said yet
   * @param pause why it pauses, if it does and says so
   */
  record Seen(OptionalInt state, Optional<Pause> pause) {
    static final Seen NOTHING = new Seen(OptionalInt.empty(), Optional.empty());
  }

  /**
   * Asks; if several jobs run, the most closed one counts.
   *
   * @throws IOException if the cluster does not answer
   */
  Seen look() throws IOException, InterruptedException {
    Seen worst = Seen.NOTHING;
    for (JsonNode job : get("/jobs/overview").path("jobs")) {
      if (!job.path("name").asText().equals(JOB)
          || !job.path("state").asText().equals("RUNNING")
          || !isOfThisInstallation(job.path("jid").asText())) {
        continue;
      }
      for (JsonNode vertex : get("/jobs/" + job.path("jid").asText()).path("vertices")) {
        String metrics =
            "/jobs/"
                + job.path("jid").asText()
                + "/vertices/"
                + vertex.path("id").asText()
                + "/jm-operator-metrics";
        OptionalInt state = value(metrics, STATE);
        if (state.isPresent() && state.getAsInt() > worst.state().orElse(-1)) {
          OptionalInt pause = value(metrics, PAUSE);
          worst =
              new Seen(state, pause.isPresent() ? Pause.of(pause.getAsInt()) : Optional.empty());
        }
      }
    }
    return worst;
  }

  private boolean isOfThisInstallation(String job) throws IOException, InterruptedException {
    JsonNode said =
        get("/jobs/" + job + "/config")
            .path("execution-config")
            .path("user-config")
            .path(TollgateConfig.INSTALLATION);
    return !said.isTextual() || said.asText().equals(installation);
  }

  private OptionalInt value(String metrics, String name) throws IOException, InterruptedException {
    for (JsonNode metric : get(metrics)) {
      String id = metric.path("id").asText();
      if (id.endsWith(name)) {
        for (JsonNode value : get(metrics + "?get=" + encoded(id))) {
          return OptionalInt.of(value.path("value").asInt());
        }
      }
    }
    return OptionalInt.empty();
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(rest.resolve(path)).timeout(TIMEOUT).build(),
            HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(path + ": " + response.statusCode() + " " + response.body().strip());
    }
    return JSON.readTree(response.body());
  }
}
