package io.tollgate.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flink ignores a key it does not know. So each key of flink-conf/config.yaml is compared with the
 * options that Flink itself declares, and each value is read by Flink.
 */
class FlinkConfTest {
  private static final Path CONF = ProjectHome.find().resolve("flink-conf/config.yaml");
  private static final String REPORTER = "metrics\\.reporter\\.prom\\.(factory\\.class|port)";

  private static URLClassLoader flink;
  private static Map<String, Object> options;

  @BeforeAll
  static void readOptionsOfFlink() throws Exception {
    List<Path> jars = Artifacts.of(ProjectHome.find(), "flink").jars();
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    flink = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    options = new TreeMap<>();
    for (Path jar : jars) {
      if (jar.toString().contains("flink-") && !jar.toString().contains("shaded")) {
        addOptions(jar);
      }
    }
    assertThat(options).hasSizeGreaterThan(300);
  }

  @AfterAll
  static void close() throws IOException {
    flink.close();
  }

  @Test
  void shouldOnlyUseKeysThatFlinkKnows() throws IOException {
    assertThat(FlinkConfiguration.read(CONF).values().keySet())
        .allMatch(key -> options.containsKey(key) || key.matches(REPORTER));
  }

  @Test
  void shouldOnlyUseValuesThatFlinkUnderstands() throws Exception {
    Class<?> type = flink.loadClass("org.apache.flink.configuration.Configuration");
    Class<?> option = flink.loadClass("org.apache.flink.configuration.ConfigOption");
    Method get = type.getMethod("get", option);
    Object configuration =
        type.getMethod("fromMap", Map.class)
            .invoke(
                null,
                FlinkConfiguration.read(CONF).values().entrySet().stream()
                    .collect(
                        Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().toString())));

    for (String key : FlinkConfiguration.read(CONF).values().keySet()) {
      if (options.containsKey(key)) {
        assertThat(get.invoke(configuration, options.get(key))).as(key).isNotNull();
      }
    }
  }

  @Test
  void shouldOnlyOverrideKeysThatFlinkKnows(@TempDir Path folder) throws IOException {
    FlinkHome home =
        new FlinkHome(folder, Ports.defaults(), 3, CONF, Artifacts.of(ProjectHome.find(), "flink"));
    home.write();

    FlinkConfiguration copy =
        FlinkConfiguration.read(home.configurationFolder().resolve("config.yaml"));

    assertThat(copy.values().keySet())
        .allMatch(key -> options.containsKey(key) || key.matches(REPORTER));
    assertThat(copy.text("taskmanager.numberOfTaskSlots")).isEqualTo("3");
    assertThat(copy.text("execution.checkpointing.interval")).isEqualTo("10 s");
    assertThat(copy.values()).doesNotContainValue("0.0.0.0");
  }

  private static void addOptions(Path jar) throws Exception {
    Class<?> optionType = flink.loadClass("org.apache.flink.configuration.ConfigOption");
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        // Options of connectors for tables need classes that are not here.
        if (!entry.getName().matches("org/apache/flink/(configuration|state)/.*Options\\.class")) {
          continue;
        }
        String name = entry.getName().replace('/', '.').replaceAll("\\.class$", "");
        for (Field field : flink.loadClass(name).getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers())
              && field.getType() == optionType
              && !field.isAnnotationPresent(Deprecated.class)) {
            field.setAccessible(true);
            Object option = field.get(null);
            options.put((String) optionType.getMethod("key").invoke(option), option);
          }
        }
      }
    }
  }
}
