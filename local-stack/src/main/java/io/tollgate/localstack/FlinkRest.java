package io.tollgate.localstack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Asks Flink's JobManager over REST. */
record FlinkRest(int port) {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** Returns the body of a successful answer; empty if there is none. */
  Optional<String> get(String path) {
    try {
      HttpResponse<String> response =
          CLIENT.send(
              HttpRequest.newBuilder(URI.create(address() + path)).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
