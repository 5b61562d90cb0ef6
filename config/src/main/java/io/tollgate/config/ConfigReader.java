package io.tollgate.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code tollgate.yaml} and names every fault at once. */
final class ConfigReader {
  private final UnaryOperator<@Nullable String> environment;

  /**
   * @param environment value of an environment variable, null if it is not set
   */
  ConfigReader(UnaryOperator<@Nullable String> environment) {
    this.environment = environment;
  }

  TollgateConfig read(Path file) {
    String name = file.toString();
    ConfigFaults faults = new ConfigFaults(name);
    try {
      return read(name, Files.readString(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      faults.add(0, "", "no such file (expected: a tollgate.yaml; name another with --config)");
    } catch (CharacterCodingException e) {
      faults.add(0, "", "not UTF-8 text (expected: a YAML file in UTF-8)");
    } catch (IOException e) {
      faults.add(0, "", "cannot be read: " + e + " (expected: a readable YAML file)");
    }
    throw faults.toException();
  }

  TollgateConfig read(String name, String yaml) {
    ConfigFaults faults = new ConfigFaults(name);
    ConfigValues values = new ConfigValues(compose(yaml, faults), environment, faults);
    TollgateConfig config = ConfigTree.build(values);
    CrossRules.check(config, values, faults);
    if (!faults.isEmpty()) {
      throw faults.toException();
    }
    return config;
  }

  private static @Nullable Node compose(String yaml, ConfigFaults faults) {
    try {
      return new Compose(LoadSettings.builder().build()).composeString(yaml).orElse(null);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(Mark::getLine).orElse(-1) + 1;
      faults.add(line, "", "not YAML: " + e.getProblem() + " (expected: valid YAML)");
    } catch (YamlEngineException e) {
      faults.add(0, "", "not YAML: " + e.getMessage() + " (expected: valid YAML)");
    }
    throw faults.toException();
  }
}
