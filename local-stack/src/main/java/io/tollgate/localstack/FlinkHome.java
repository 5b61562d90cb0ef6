package io.tollgate.localstack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a Flink distribution has in conf/, lib/, plugins/ and bin/config.sh, put together from
 * artifacts: the class path, the configuration of this stack, and the options of each JVM.
 */
final class FlinkHome {
  private static final Duration HELPER_PATIENCE = Duration.ofSeconds(60);
  private static final String RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:";
  private static final String PROMETHEUS = "flink-metrics-prometheus";

  private final Path folder;
  private final Ports ports;
  private final int slotsPerTaskManager;
  private final Path baseConfiguration;
  private final Artifacts artifacts;
  private boolean written;

  FlinkHome(
      Path dataDir,
      Ports ports,
      int slotsPerTaskManager,
      Path baseConfiguration,
      Artifacts artifacts) {
    this.folder = dataDir.resolve("flink");
    this.ports = ports;
    this.slotsPerTaskManager = slotsPerTaskManager;
    this.baseConfiguration = baseConfiguration;
    this.artifacts = artifacts;
  }

  Path folder() {
    return folder;
  }

  Ports ports() {
    return ports;
  }

  Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  Path savepoints() {
    return folder.resolve("savepoints");
  }

  Path configurationFolder() {
    return folder.resolve("conf");
  }

  /** Returns the class path of lib/. The reporter of figures is a plugin, as in a distribution. */
  List<Path> classPath() {
    return artifacts.jars().stream().filter(jar -> !isPlugin(jar)).toList();
  }

  Map<String, String> environment() {
    return Map.of(
        "FLINK_CONF_DIR", configurationFolder().toString(),
        "FLINK_PLUGINS_DIR", folder.resolve("plugins").toString());
  }

  /** Writes the configuration and the plugins folder, once for all processes of this stack. */
  synchronized void write() throws IOException {
    if (written) {
      return;
    }
    for (Path needed :
        List.of(configurationFolder(), checkpoints(), savepoints(), tmp(), uploads())) {
      Files.createDirectories(needed);
    }
    FlinkConfiguration.read(baseConfiguration)
        .with(overrides())
        .write(
            configurationFolder().resolve("config.yaml"),
            "Made from "
                + baseConfiguration
                + "\nwith the addresses, ports and folders of this stack; changes here are lost.");
    Template.write("log4j2.properties", Map.of(), logging());
    writePlugins();
    written = true;
  }

  /**
   * Returns the options of a Flink JVM, as bin/config.sh puts them together.
   *
   * @param log where it writes its log
   */
  List<String> jvmOptions(Path log) throws IOException {
    List<String> options = new ArrayList<>();
    options.addAll(words(configuration().text("env.java.opts.all")));
    options.addAll(KafkaRecipe.loggingOptions(logging(), log));
    return options;
  }

  /** Returns the options of a Flink server, which has figures to show. */
  List<String> serverJvmOptions(Path log) throws IOException {
    List<String> options = new ArrayList<>(jvmOptions(log));
    options.add("-XX:+ExitOnOutOfMemoryError");
    // The Prometheus reporter can only listen on all addresses; see LoopbackHttpServerProvider.
    options.add("--add-exports=jdk.httpserver/sun.net.httpserver=ALL-UNNAMED");
    options.add(
        "-Dcom.sun.net.httpserver.HttpServerProvider="
            + LoopbackHttpServerProvider.class.getName());
    return options;
  }

  /** Returns the class path of a server: lib/ and the class that keeps its reporter on loopback. */
  List<Path> serverClassPath() {
    List<Path> classPath = new ArrayList<>(classPath());
    ProjectHome.codeSource().ifPresent(classPath::add);
    return classPath;
  }

  /**
   * Asks Flink itself how it divides the memory of a process. That takes a JVM of its own, so the
   * answer is kept in the build folder for each configuration.
   *
   * @param command GET_JM_RESOURCE_PARAMS or GET_TM_RESOURCE_PARAMS
   * @return two lines: the options of the JVM, the {@code -D} settings of the program
   */
  synchronized List<String> resourceParameters(String command) throws IOException {
    String question =
        command + slotsPerTaskManager + Files.readString(baseConfiguration) + artifacts.jars();
    Path kept =
        artifacts.buildFolder().resolve(command + "-" + UUID.nameUUIDFromBytes(utf8(question)));
    if (!Files.exists(kept)) {
      Path fresh = Files.createTempFile(artifacts.buildFolder(), command, ".new");
      Files.write(fresh, askForResourceParameters(command));
      Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
    }
    return Files.readAllLines(kept);
  }

  private List<String> askForResourceParameters(String command) throws IOException {
    List<String> options = new ArrayList<>(Memory.HELPER_JVM);
    options.addAll(KafkaRecipe.loggingOptions(logging(), folder.resolve("memory.log")));
    CommandResult result =
        Helper.run(
            new JavaCommand(
                    options,
                    classPath(),
                    "org.apache.flink.runtime.util.bash.BashJavaUtils",
                    List.of(command, "--configDir", configurationFolder().toString()))
                .asHelper(),
            environment(),
            folder,
            "",
            HELPER_PATIENCE);
    List<String> lines =
        result
            .output()
            .lines()
            .filter(line -> line.startsWith(RESULT))
            .map(line -> line.substring(RESULT.length()))
            .toList();
    if (!result.succeeded() || lines.size() != 2) {
      throw new IOException("BashJavaUtils " + command + ":\n" + result.output());
    }
    return lines;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static List<String> words(String line) {
    return Arrays.stream(line.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  private FlinkConfiguration configuration() throws IOException {
    return FlinkConfiguration.read(configurationFolder().resolve("config.yaml"));
  }

  private Map<String, String> overrides() {
    Map<String, String> overrides = new LinkedHashMap<>();
    overrides.put("jobmanager.rpc.address", "127.0.0.1");
    overrides.put("jobmanager.rpc.port", Integer.toString(ports.flinkRpc()));
    overrides.put("jobmanager.bind-host", "127.0.0.1");
    overrides.put("taskmanager.host", "127.0.0.1");
    overrides.put("taskmanager.bind-host", "127.0.0.1");
    overrides.put("taskmanager.numberOfTaskSlots", Integer.toString(slotsPerTaskManager));
    overrides.put("rest.address", "127.0.0.1");
    overrides.put("rest.bind-address", "127.0.0.1");
    overrides.put("rest.port", Integer.toString(ports.flinkRest()));
    overrides.put("rest.bind-port", Integer.toString(ports.flinkRest()));
    overrides.put("execution.checkpointing.dir", checkpoints().toUri().toString());
    overrides.put("execution.checkpointing.savepoint-dir", savepoints().toUri().toString());
    overrides.put("io.tmp.dirs", tmp().toString());
    overrides.put("web.upload.dir", uploads().toString());
    return overrides;
  }

  private void writePlugins() throws IOException {
    Path plugin = folder.resolve("plugins").resolve("metrics-prometheus");
    Files.createDirectories(plugin);
    for (Path jar : artifacts.jars()) {
      if (isPlugin(jar)) {
        Files.copy(jar, plugin.resolve(PROMETHEUS + ".jar"), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Path logging() {
    return configurationFolder().resolve("log4j2.properties");
  }

  private Path tmp() {
    return folder.resolve("tmp");
  }

  private Path uploads() {
    return folder.resolve("uploads");
  }

  private static boolean isPlugin(Path jar) {
    return jar.getFileName().toString().startsWith(PROMETHEUS);
  }
}
