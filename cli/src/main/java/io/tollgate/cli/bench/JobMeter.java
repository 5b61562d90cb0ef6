package io.tollgate.cli.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads from Flink's REST endpoint how many records a stage of the running job has taken. */
public final class JobMeter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI rest;

  /** Creates the meter. */
  public JobMeter(URI rest) {
    this.rest = rest;
  }

  /**
   * Waits until the stage has taken {@code records} and returns its speed after warming up.
   *
   * @param stage part of the stage's name
   * @param warmUp how many records are not measured
   * @return records per second from {@code warmUp} to {@code records}
   */
  public double recordsPerSecond(
      String stage, long warmUp, long records, Duration patience, Runnable stillGoing)
      throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    long measuredFrom = 0;
    long fromNanos = 0;
    while (true) {
      long taken = taken(stage);
      long now = System.nanoTime();
      if (fromNanos == 0 && taken >= warmUp) {
        fromNanos = now;
        measuredFrom = taken;
      }
      if (taken >= records) {
        return (taken - measuredFrom) * 1e9 / (now - fromNanos);
      }
      if (now > deadlineNanos) {
        throw new IllegalStateException(
            "only " + taken + " of " + records + " records after " + patience.toSeconds() + " s");
      }
      stillGoing.run();
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  private long taken(String stage) throws IOException, InterruptedException {
    for (JsonNode job : get("/jobs/overview").path("jobs")) {
      if (!job.path("state").asText().equals("RUNNING")) {
        continue;
      }
      String id = job.path("jid").asText();
      for (JsonNode vertex : get("/jobs/" + id).path("vertices")) {
        if (vertex.path("name").asText().contains(stage)) {
          return taken(id, vertex.path("id").asText());
        }
      }
    }
    return 0;
  }

  private long taken(String job, String vertex) throws IOException, InterruptedException {
    JsonNode sums =
        get("/jobs/" + job + "/vertices/" + vertex + "/subtasks/metrics?get=numRecordsIn&agg=sum");
    return sums.isEmpty() ? 0 : sums.get(0).path("sum").asLong();
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(rest.resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(response.body());
  }
}
