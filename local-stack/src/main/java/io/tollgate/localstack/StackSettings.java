package io.tollgate.localstack;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * How a local stack shall be.
 *
 * @param dataDir absolute folder of all data, logs and pid files
 * @param taskManagers 1 to {@link Ports#TASK_MANAGERS_MAX}
 * @param slotsPerTaskManager 1 to 64
 * @param flinkConf the config.yaml whose values count but for addresses, ports and folders
 */
public record StackSettings(
    Path dataDir, Ports ports, int taskManagers, int slotsPerTaskManager, Path flinkConf) {
  /** The name of the data folder in the project's folder. */
  public static final String DATA_DIR = ".tollgate";

  private static final int SLOTS_MAX = 64;
  private static final String FILE = "stack.properties";

  public StackSettings {
    dataDir = dataDir.toAbsolutePath().normalize();
    flinkConf = flinkConf.toAbsolutePath().normalize();
    List<String> faults = new ArrayList<>();
    if (taskManagers < 1 || taskManagers > Ports.TASK_MANAGERS_MAX) {
      faults.add(
          "task managers: " + taskManagers + " (expected: 1 to " + Ports.TASK_MANAGERS_MAX + ")");
    }
    if (slotsPerTaskManager < 1 || slotsPerTaskManager > SLOTS_MAX) {
      faults.add(
          "slots per task manager: " + slotsPerTaskManager + " (expected: 1 to " + SLOTS_MAX + ")");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", faults));
    }
  }

  /** Returns what {@code ./tollgate up} takes when nothing is said. */
  public static StackSettings defaults() {
    return defaults(ProjectHome.find());
  }

  /**
   * Returns the folder of the project: what the system property tollgate.home says, else the one
   * this class was built in, else the nearest above the working folder.
   *
   * @throws IllegalStateException if there is none
   */
  public static Path projectHome() {
    return ProjectHome.find();
  }

  static StackSettings defaults(Path home) {
    return new StackSettings(
        home.resolve(DATA_DIR),
        Ports.defaults(),
        2,
        2,
        home.resolve("flink-conf").resolve("config.yaml"));
  }

  public StackSettings withDataDir(Path changed) {
    return new StackSettings(changed, ports, taskManagers, slotsPerTaskManager, flinkConf);
  }

  public StackSettings withPorts(Ports changed) {
    return new StackSettings(dataDir, changed, taskManagers, slotsPerTaskManager, flinkConf);
  }

  public StackSettings withTaskManagers(int changed) {
    return new StackSettings(dataDir, ports, changed, slotsPerTaskManager, flinkConf);
  }

  public StackSettings withSlotsPerTaskManager(int changed) {
    return new StackSettings(dataDir, ports, taskManagers, changed, flinkConf);
  }

  public StackSettings withFlinkConf(Path changed) {
    return new StackSettings(dataDir, ports, taskManagers, slotsPerTaskManager, changed);
  }

  /**
   * Returns the settings with which a stack was last started in a folder, so that it can be asked
   * and stopped without saying them again; empty if none was.
   */
  public static Optional<StackSettings> lastUsed(Path dataDir) {
    Path file = dataDir.toAbsolutePath().resolve(FILE);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    Properties saved = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      saved.load(reader);
      Map<String, Integer> ports = new LinkedHashMap<>();
      for (String name : Ports.defaults().named().keySet()) {
        ports.put(name, Integer.valueOf(saved.getProperty("ports." + name)));
      }
      return Optional.of(
          new StackSettings(
              dataDir,
              Ports.ofNamed(ports),
              Integer.parseInt(saved.getProperty("taskManagers")),
              Integer.parseInt(saved.getProperty("slotsPerTaskManager")),
              Path.of(saved.getProperty("flinkConf"))));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (NumberFormatException e) {
      throw new IllegalStateException(
          file + ": " + e.getMessage() + " (expected: as ./tollgate up wrote it)", e);
    }
  }

  void save() {
    Properties saved = new Properties();
    ports.named().forEach((name, port) -> saved.setProperty("ports." + name, port.toString()));
    saved.setProperty("taskManagers", Integer.toString(taskManagers));
    saved.setProperty("slotsPerTaskManager", Integer.toString(slotsPerTaskManager));
    saved.setProperty("flinkConf", flinkConf.toString());
    Path file = dataDir.resolve(FILE);
    try (Writer writer = Files.newBufferedWriter(file)) {
      saved.store(writer, "How the stack in this folder was last started");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
