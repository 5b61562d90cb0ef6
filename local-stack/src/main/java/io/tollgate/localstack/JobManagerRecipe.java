package io.tollgate.localstack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The JobManager of a Flink session cluster, with the dashboard. */
final class JobManagerRecipe implements Recipe {
  private final FlinkHome home;
  private final ServerFiles files;
  private final FlinkRest rest;

  JobManagerRecipe(FlinkHome home) {
    this.home = home;
    this.files = new ServerFiles(home.folder(), "jobmanager");
    this.rest = new FlinkRest(home.ports().flinkRest());
  }

  @Override
  public ServerFiles files() {
    return files;
  }

  @Override
  public String address() {
    return rest.address();
  }

  @Override
  public List<Integer> ports() {
    return List.of(home.ports().flinkRest(), home.ports().flinkRpc(), home.ports().flinkMetrics());
  }

  @Override
  public Launch prepare() throws IOException {
    home.write();
    List<String> parameters = home.resourceParameters("GET_JM_RESOURCE_PARAMS");
    List<String> options = new ArrayList<>(FlinkHome.words(parameters.get(0)));
    options.addAll(home.serverJvmOptions(files.log()));
    options.addAll(Memory.JOB_MANAGER_JVM);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--configDir", home.configurationFolder().toString()));
    arguments.addAll(FlinkHome.words(parameters.get(1)));
    arguments.addAll(List.of("-D", "metrics.reporter.prom.port=" + home.ports().flinkMetrics()));
    return new Launch(
        new JavaCommand(
                options,
                home.serverClassPath(),
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                arguments)
            .asServer(files),
        home.environment());
  }

  @Override
  public boolean answers() {
    return rest.get("/overview").isPresent();
  }
}
