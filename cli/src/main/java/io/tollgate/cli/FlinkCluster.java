package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A Flink cluster, by its REST endpoint: what the dashboard can do, for commands. */
final class FlinkCluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** The job's main method runs within the request. */
  private static final Duration ANSWER = Duration.ofMinutes(4);

  private static final Duration LOOK_EVERY = Duration.ofMillis(300);

  private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "CANCELED", "SUSPENDED");

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final URI rest;

  FlinkCluster(URI rest) {
    this.rest = rest;
  }

  /** Uploads a jar; returns its id. */
  String upload(Path jar) throws InterruptedException {
    String boundary = "tollgate-" + UUID.randomUUID();
    String head =
        "--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
            + jar.getFileName()
            + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n";
    BodyPublisher body;
    try {
      body =
          BodyPublishers.concat(
              BodyPublishers.ofString(head),
              BodyPublishers.ofFile(jar),
              BodyPublishers.ofString("\r\n--" + boundary + "--\r\n"));
    } catch (FileNotFoundException e) {
      throw new IllegalStateException("cannot read " + jar, e);
    }
    JsonNode answer =
        send(
            request("/jars/upload")
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(body));
    String file = answer.path("filename").asText();
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /** Deletes a jar that was uploaded. */
  void delete(String jar) throws InterruptedException {
    send(request("/jars/" + jar).DELETE());
  }

  /** Runs a jar that was uploaded; returns the job's id. */
  String run(String jar, int parallelism, List<String> arguments) throws InterruptedException {
    return run(jar, parallelism, Optional.empty(), arguments);
  }

  /**
   * Runs a jar that was uploaded; returns the job's id.
   *
   * @param savepoint where to go on
   */
  String run(String jar, int parallelism, Optional<String> savepoint, List<String> arguments)
      throws InterruptedException {
    ObjectNode body = JSON.createObjectNode().put("parallelism", parallelism);
    savepoint.ifPresent(path -> body.put("savepointPath", path));
    arguments.forEach(body.putArray("programArgsList")::add);
    return send(request("/jars/" + jar + "/run")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString())))
        .path("jobid")
        .asText();
  }

  /**
   * A job that has not ended.
   *
   * @param id its id
   * @param state in Flink's words
   * @param parallelism the most subtasks that one of its operators has
   */
  record Job(String id, String state, int parallelism) {}

  /** Returns the job of a name and an installation that has not ended, if there is one. */
  Optional<Job> job(String name, String installation) throws InterruptedException {
    for (JsonNode job : send(request("/jobs/overview").GET()).path("jobs")) {
      String id = job.path("jid").asText();
      String state = job.path("state").asText();
      if (job.path("name").asText().equals(name) && !isEnd(state) && isOf(id, installation)) {
        int parallelism = 1;
        for (JsonNode vertex : send(request("/jobs/" + id).GET()).path("vertices")) {
          parallelism = Math.max(parallelism, vertex.path("parallelism").asInt());
        }
        return Optional.of(new Job(id, state, parallelism));
      }
    }
    return Optional.empty();
  }

  /** A job that does not say is left alone: unlike a halt, a command must not stop a stranger's. */
  private boolean isOf(String job, String installation) throws InterruptedException {
    JsonNode said =
        send(request("/jobs/" + job + "/config").GET())
            .path("execution-config")
            .path("user-config")
            .path(TollgateConfig.INSTALLATION);
    return said.asText().equals(installation);
  }

  /** Returns how many checkpoints of a job are complete. */
  long completedCheckpoints(String job) throws InterruptedException {
    return send(request("/jobs/" + job + "/checkpoints").GET())
        .path("counts")
        .path("completed")
        .asLong();
  }

  /**
   * Takes a canonical savepoint of a job that goes on; returns where it lies.
   *
   * @param folder where to put it; empty for the cluster's own folder
   */
  String savepoint(String job, Optional<String> folder) throws InterruptedException {
    ObjectNode body =
        JSON.createObjectNode().put("cancel-job", false).put("formatType", "CANONICAL");
    folder.ifPresent(path -> body.put("target-directory", path));
    return location(job, triggered("/jobs/" + job + "/savepoints", body));
  }

  /** As {@link #savepoint}, and stops the job. */
  String stop(String job, Optional<String> folder) throws InterruptedException {
    ObjectNode body = JSON.createObjectNode().put("drain", false).put("formatType", "CANONICAL");
    folder.ifPresent(path -> body.put("targetDirectory", path));
    return location(job, triggered("/jobs/" + job + "/stop", body));
  }

  /** Deletes the files of a savepoint. */
  void dispose(String path) throws InterruptedException {
    String trigger =
        triggered("/savepoint-disposal", JSON.createObjectNode().put("savepoint-path", path));
    JsonNode operation = completed("/savepoint-disposal/" + trigger);
    if (operation.hasNonNull("failure-cause")) {
      throw new IllegalStateException(
          "The savepoint was not deleted: "
              + innermost(operation.path("failure-cause").path("stack-trace").asText()));
    }
  }

  private String triggered(String path, ObjectNode body) throws InterruptedException {
    return send(request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString())))
        .path("request-id")
        .asText();
  }

  private String location(String job, String trigger) throws InterruptedException {
    JsonNode operation = completed("/jobs/" + job + "/savepoints/" + trigger);
    if (!operation.hasNonNull("location")) {
      throw new IllegalStateException(
          "The savepoint failed: "
              + innermost(operation.path("failure-cause").path("stack-trace").asText()));
    }
    return operation.path("location").asText();
  }

  private JsonNode completed(String path) throws InterruptedException {
    while (true) {
      JsonNode answer = send(request(path).GET());
      if (answer.path("status").path("id").asText().equals("COMPLETED")) {
        return answer.path("operation");
      }
      Thread.sleep(LOOK_EVERY.toMillis());
    }
  }

  /** Returns the state of a job, in Flink's words. */
  String state(String job) throws InterruptedException {
    return send(request("/jobs/" + job + "/status").GET()).path("status").asText();
  }

  /** Returns whether a state is one that a job does not leave. */
  static boolean isEnd(String state) {
    return ENDED.contains(state);
  }

  /** Returns why a job failed: the innermost cause that Flink knows. */
  String failure(String job) throws InterruptedException {
    JsonNode entries =
        send(request("/jobs/" + job + "/exceptions").GET())
            .path("exceptionHistory")
            .path("entries");
    return innermost(entries.path(0).path("stacktrace").asText(""));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(rest.resolve(path)).timeout(ANSWER);
  }

  private JsonNode send(HttpRequest.Builder builder) throws InterruptedException {
    HttpRequest request = builder.build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() / 100 == 2) {
        return JSON.readTree(response.body());
      }
      throw new IllegalStateException(
          "Flink at " + rest + " refused: " + innermost(errors(response.body())));
    } catch (IOException e) {
      throw new IllegalStateException(
          "Flink at "
              + rest
              + " does not answer (expected: a running cluster; see flink.rest): "
              + e,
          e);
    }
  }

  private static String errors(String body) {
    try {
      StringBuilder errors = new StringBuilder();
      JSON.readTree(body).path("errors").forEach(each -> errors.append(each.asText()).append('\n'));
      return errors.isEmpty() ? body : errors.toString();
    } catch (JsonProcessingException e) {
      return body; // not from Flink, but perhaps from something in between
    }
  }

  /** Returns the message of the innermost cause of a stack trace, without its frames. */
  static String innermost(String stackTrace) {
    int cause = stackTrace.lastIndexOf("Caused by: ");
    String rest = cause < 0 ? stackTrace : stackTrace.substring(cause + "Caused by: ".length());
    StringBuilder message = new StringBuilder();
    for (String line : rest.lines().toList()) {
      if (line.startsWith("\tat ") || line.startsWith("\t...")) {
        if (!message.isEmpty()) {
          break;
        }
      } else {
        message.append(line).append('\n');
      }
    }
    return message.toString().strip();
  }
}
