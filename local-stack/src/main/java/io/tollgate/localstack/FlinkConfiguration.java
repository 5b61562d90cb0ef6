package io.tollgate.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * A Flink configuration with every key written out whole ({@code rest.port}), in the order of its
 * file.
 */
record FlinkConfiguration(Map<String, Object> values) {
  FlinkConfiguration {
    values = new LinkedHashMap<>(values);
  }

  /** Reads a config.yaml, nested or flat. */
  static FlinkConfiguration read(Path file) throws IOException {
    Object root =
        new Load(LoadSettings.builder().setLabel(file.toString()).build())
            .loadFromString(Files.readString(file));
    Map<String, Object> flat = new LinkedHashMap<>();
    if (root instanceof Map<?, ?> map) {
      flatten("", map, flat);
    } else {
      throw new IOException(file + ": not a map (expected: Flink's config.yaml)");
    }
    return new FlinkConfiguration(flat);
  }

  /** Returns this configuration with some values replaced or added. */
  FlinkConfiguration with(Map<String, String> overrides) {
    Map<String, Object> merged = new LinkedHashMap<>(values);
    merged.putAll(overrides);
    return new FlinkConfiguration(merged);
  }

  /** Returns a value as text, or an empty one if there is none. */
  String text(String key) {
    Object value = values.get(key);
    return value == null ? "" : value.toString();
  }

  void write(Path file, String head) throws IOException {
    String yaml =
        new Dump(
                DumpSettings.builder()
                    .setDefaultFlowStyle(FlowStyle.BLOCK)
                    .setWidth(Integer.MAX_VALUE)
                    .setSplitLines(false)
                    .build())
            .dumpToString(values);
    Files.writeString(file, head.lines().collect(Collectors.joining("\n# ", "# ", "\n")) + yaml);
  }

  private static void flatten(String prefix, Map<?, ?> map, Map<String, Object> flat) {
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = prefix + entry.getKey();
      Object value = entry.getValue();
      if (value instanceof Map<?, ?> nested) {
        flatten(key + ".", nested, flat);
      } else if (value != null) {
        flat.put(key, value);
      }
    }
  }
}
