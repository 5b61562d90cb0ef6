package io.tollgate.reconcile.halt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import io.tollgate.reconcile.halt.StopDecision.Outcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Flink's REST endpoint. */
final class FlinkRest implements RatingCluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int NOT_FOUND = 404;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final URI rest;
  private final String jobName;
  private final String installation;
  private final @Nullable String savepoints;

  /**
   * Creates the client.
   *
   * @param installation which installation the job belongs to
   * @param savepoints folder or URI for savepoints; null for the cluster's own
   */
  FlinkRest(URI rest, String jobName, String installation, @Nullable String savepoints) {
    this.rest = rest;
    this.jobName = jobName;
    this.installation = installation;
    this.savepoints = savepoints;
  }

  @Override
  public List<JobState> ratingJobs() throws IOException, InterruptedException {
    List<JobState> jobs = new ArrayList<>();
    for (JsonNode job : required(get("/jobs/overview"), "/jobs/overview").path("jobs")) {
      if (job.path("name").asText().equals(jobName)
          && isOfThisInstallation(job.path("jid").asText())) {
        jobs.add(
            new JobState(
                job.path("jid").asText(),
                job.path("state").asText(),
                job.path("end-time").asLong(-1)));
      }
    }
    return jobs;
  }

  /** A job that does not say is stopped too: a halt rather stops too much than too little. */
  private boolean isOfThisInstallation(String job) throws IOException, InterruptedException {
    JsonNode answer = get("/jobs/" + job + "/config");
    if (answer == null) {
      return true;
    }
    JsonNode said =
        answer.path("execution-config").path("user-config").path(TollgateConfig.INSTALLATION);
    return !said.isTextual() || said.asText().equals(installation);
  }

  @Override
  public String stop(String job) throws IOException, InterruptedException {
    ObjectNode body = JSON.createObjectNode().put("drain", false).put("formatType", "CANONICAL");
    if (savepoints != null) {
      body.put("targetDirectory", savepoints);
    }
    String path = "/jobs/" + job + "/stop";
    return required(
            send(
                request(path)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))),
            path)
        .path("request-id")
        .asText();
  }

  @Override
  public Outcome outcome(String job, String request) throws IOException, InterruptedException {
    JsonNode answer = get("/jobs/" + job + "/savepoints/" + request);
    if (answer == null) {
      return Outcome.LOST;
    }
    if (!answer.path("status").path("id").asText().equals("COMPLETED")) {
      return Outcome.IN_PROGRESS;
    }
    JsonNode operation = answer.path("operation");
    if (operation.hasNonNull("location")) {
      return Outcome.completed(operation.get("location").asText());
    }
    return Outcome.failed(firstLine(operation.path("failure-cause").path("stack-trace").asText()));
  }

  @Override
  public Optional<String> newestSavepoint(String job) throws IOException, InterruptedException {
    JsonNode answer = get("/jobs/" + job + "/checkpoints");
    if (answer == null) {
      return Optional.empty();
    }
    JsonNode path = answer.path("latest").path("savepoint").path("external_path");
    return path.isTextual() ? Optional.of(path.asText()) : Optional.empty();
  }

  private static String firstLine(String stackTrace) {
    return stackTrace.isBlank() ? "no reason given" : stackTrace.lines().findFirst().orElse("");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(rest.resolve(path)).timeout(TIMEOUT);
  }

  private @Nullable JsonNode get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  /** Returns the answer, or null if the endpoint does not know what was asked for. */
  private @Nullable JsonNode send(HttpRequest.Builder builder)
      throws IOException, InterruptedException {
    HttpRequest request = builder.build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() == NOT_FOUND) {
      return null;
    }
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          request.uri() + ": " + response.statusCode() + " " + response.body().strip());
    }
    return JSON.readTree(response.body());
  }

  private static JsonNode required(@Nullable JsonNode answer, String path) throws IOException {
    if (answer == null) {
      throw new IOException(path + ": not found (expected: a Flink cluster and its job)");
    }
    return answer;
  }
}
