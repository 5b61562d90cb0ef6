package io.tollgate.localstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One TaskManager of a Flink session cluster. */
final class TaskManagerRecipe implements Recipe {
  private final FlinkHome home;
  private final ServerFiles files;
  private final int metricsPort;
  private final FlinkRest rest;

  /**
   * Creates a recipe.
   *
   * @param number from 1
   */
  TaskManagerRecipe(FlinkHome home, int number) {
    this.home = home;
    this.files = new ServerFiles(home.folder(), name(number));
    this.metricsPort = home.ports().taskManagerMetrics(number);
    this.rest = new FlinkRest(home.ports().flinkRest());
  }

  static String name(int number) {
    return "taskmanager-" + number;
  }

  @Override
  public ServerFiles files() {
    return files;
  }

  @Override
  public String address() {
    return "registered at " + rest.address();
  }

  @Override
  public List<Integer> ports() {
    return List.of(metricsPort);
  }

  @Override
  public Launch prepare() throws IOException {
    home.write();
    // A new name for each start: the JobManager still knows a killed one for a while, and its old
    // registration must not pass for the new one.
    String resourceId = files.name() + "-" + Long.toString(System.currentTimeMillis(), 36);
    Files.writeString(idFile(), resourceId);
    List<String> parameters = home.resourceParameters("GET_TM_RESOURCE_PARAMS");
    List<String> options = new ArrayList<>(FlinkHome.words(parameters.get(0)));
    options.addAll(home.serverJvmOptions(files.log()));
    options.add("-XX:+UseG1GC");
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--configDir", home.configurationFolder().toString()));
    arguments.addAll(FlinkHome.words(parameters.get(1)));
    arguments.addAll(List.of("-D", "taskmanager.resource-id=" + resourceId));
    arguments.addAll(List.of("-D", "metrics.reporter.prom.port=" + metricsPort));
    return new Launch(
        new JavaCommand(
                options,
                home.serverClassPath(),
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                arguments)
            .asServer(files),
        home.environment());
  }

  /** {@inheritDoc} It serves when the JobManager has it among its TaskManagers. */
  @Override
  public boolean answers() {
    return resourceId()
        .flatMap(
            id -> rest.get("/taskmanagers").map(body -> body.contains("\"id\":\"" + id + "\"")))
        .orElse(false);
  }

  /** Returns the name under which Flink knows the TaskManager that was started last. */
  Optional<String> resourceId() {
    try {
      return Optional.of(Files.readString(idFile()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + idFile(), e);
    }
  }

  private Path idFile() {
    return files.file(".id");
  }
}
