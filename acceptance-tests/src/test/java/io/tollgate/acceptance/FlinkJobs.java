package io.tollgate.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Flink's REST endpoint, which the dashboard uses too. */
final class FlinkJobs {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI rest;

  FlinkJobs(URI rest) {
    this.rest = rest;
  }

  /** A job and its state. */
  record Job(String id, String name, String state) {}

  List<Job> all() throws Exception {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode job : get("/jobs/overview").get("jobs")) {
      jobs.add(
          new Job(job.get("jid").asText(), job.get("name").asText(), job.get("state").asText()));
    }
    return jobs;
  }

  String state(String job) throws Exception {
    return get("/jobs/" + job).get("state").asText();
  }

  String failure(String job) throws Exception {
    return get("/jobs/" + job + "/exceptions").toString();
  }

  long completedCheckpoints(String job) throws Exception {
    return get("/jobs/" + job + "/checkpoints").get("counts").get("completed").asLong();
  }

  /** Returns the stages in order of their names in the graph. */
  List<String> vertices(String job) throws Exception {
    List<String> names = new ArrayList<>();
    get("/jobs/" + job).get("vertices").forEach(vertex -> names.add(vertex.get("name").asText()));
    return names;
  }

  /** Returns the names of the JobManager's threads. */
  List<String> jobManagerThreads() throws Exception {
    List<String> names = new ArrayList<>();
    get("/jobmanager/thread-dump")
        .get("threadInfos")
        .forEach(thread -> names.add(thread.get("threadName").asText()));
    return names;
  }

  void cancel(String job) throws Exception {
    send(
        HttpRequest.newBuilder(rest.resolve("/jobs/" + job))
            .method("PATCH", BodyPublishers.noBody()));
  }

  /** Uploads a jar as the dashboard does, and returns its id. */
  String upload(Path jar) throws Exception {
    String boundary = "----tollgate";
    byte[] head =
        ("--"
                + boundary
                + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
                + jar.getFileName()
                + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] tail = ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII);
    JsonNode answer =
        send(
            HttpRequest.newBuilder(rest.resolve("/jars/upload"))
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.ofByteArrays(List.of(head, Files.readAllBytes(jar), tail))));
    String path = answer.get("filename").asText();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Runs an uploaded jar as the dashboard does, and returns the job's id. */
  String run(String jarId, String... arguments) throws Exception {
    String body =
        JSON.writeValueAsString(
            JSON.createObjectNode()
                .put("parallelism", 2)
                .set("programArgsList", JSON.valueToTree(arguments)));
    return send(HttpRequest.newBuilder(rest.resolve("/jars/" + jarId + "/run"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)))
        .get("jobid")
        .asText();
  }

  private JsonNode get(String path) throws Exception {
    return send(HttpRequest.newBuilder(rest.resolve(path)).GET());
  }

  private JsonNode send(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          request.build().uri() + ": " + response.statusCode() + " " + response.body());
    }
    return response.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(response.body());
  }
}
