package io.tollgate.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The values of one file by their full names. Unknown and repeated keys are faults at once; a value
 * is judged when it is asked for.
 */
final class ConfigValues {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String ANY = "*";

  private final UnaryOperator<@Nullable String> environment;
  private final ConfigFaults faults;
  private final Map<String, Node> values = new HashMap<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Map<String, Set<String>> chosenNames = new HashMap<>();

  ConfigValues(
      @Nullable Node root, UnaryOperator<@Nullable String> environment, ConfigFaults faults) {
    this.environment = environment;
    this.faults = faults;
    if (root != null) {
      group("", "", root);
    }
  }

  /** Returns the value of a key that has a default. */
  <T> T get(Key<T> key) {
    T value = find(key, key.path());
    return value == null ? defaultOf(key) : value;
  }

  /** Returns the value of a key that has a default, below a chosen name. */
  <T> T get(Key<T> key, String chosen) {
    T value = find(key, pathOf(key, chosen));
    return value == null ? defaultOf(key) : value;
  }

  /** Returns the value of an optional key, null if it is absent. */
  <T> @Nullable T getOrNull(Key<T> key) {
    return find(key, key.path());
  }

  /** Returns the value of an optional key below a chosen name, null if it is absent. */
  <T> @Nullable T getOrNull(Key<T> key, String chosen) {
    return find(key, pathOf(key, chosen));
  }

  /** Returns the value of a required key below a chosen name; absence is a fault. */
  String required(Key<String> key, String chosen) {
    String path = pathOf(key, chosen);
    String value = find(key, path);
    if (value != null) {
      return value;
    }
    if (!values.containsKey(path)) {
      String parent = path.substring(0, path.lastIndexOf('.'));
      faults.add(line(parent), path, "absent (expected: " + key.type().rule() + ")");
    }
    return "";
  }

  /** Returns the names that the user chose below a group, in order of the file. */
  Set<String> chosenNames(String group) {
    return chosenNames.getOrDefault(group, Set.of());
  }

  /** Returns the line of a key, 0 if it is absent. */
  int line(String path) {
    return lines.getOrDefault(path, 0);
  }

  private <T> @Nullable T find(Key<T> key, String path) {
    Node node = values.get(path);
    if (node == null) {
      return null;
    }
    try {
      return key.type().parse(node, environment);
    } catch (BadValue e) {
      faults.add(line(path), path, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private <T> T defaultOf(Key<T> key) {
    String yaml = key.defaultYaml();
    if (yaml == null) {
      throw new IllegalStateException(key.path() + " has no default");
    }
    try {
      Node node = new Compose(LoadSettings.builder().build()).composeString(yaml).orElseThrow();
      return key.type().parse(node, environment);
    } catch (BadValue e) {
      throw new IllegalStateException("default of " + key.path() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Takes in a map: {@code path} as it stands in the file, {@code pattern} as keys are declared.
   */
  private void group(String path, String pattern, Node node) {
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL)) {
      return;
    }
    if (!(node instanceof MappingNode mapping)) {
      faults.add(lineOf(node), path, "not a map (expected: keys " + childrenOf(pattern) + ")");
      return;
    }
    Set<String> seen = new HashSet<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        faults.add(lineOf(tuple.getKeyNode()), path, "a key that is not text (expected: text)");
        continue;
      }
      if (!seen.add(name.getValue())) {
        String child = join(path, name.getValue());
        faults.add(lineOf(name), child, "given twice (expected: once)");
        continue;
      }
      child(path, pattern, name, tuple.getValueNode());
    }
  }

  private void child(String path, String pattern, ScalarNode nameNode, Node value) {
    String name = nameNode.getValue();
    String childPath = join(path, name);
    Set<String> known = childrenOf(pattern);
    lines.put(childPath, lineOf(nameNode));
    if (known.contains(ANY)) {
      if (!NAME.matcher(name).matches()) {
        faults.add(
            lineOf(nameNode), childPath, "bad name (expected: letters, digits, dots, dashes)");
        return;
      }
      chosenNames.computeIfAbsent(path, group -> new LinkedHashSet<>()).add(name);
      group(childPath, join(pattern, ANY), value);
      return;
    }
    if (!known.contains(name)) {
      faults.add(lineOf(nameNode), childPath, "unknown key" + Spelling.hint(name, known));
      return;
    }
    String childPattern = join(pattern, name);
    if (isKey(childPattern)) {
      values.put(childPath, value);
    } else {
      group(childPath, childPattern, value);
    }
  }

  private static boolean isKey(String pattern) {
    return Keys.ALL.stream().anyMatch(key -> key.path().equals(pattern));
  }

  private static Set<String> childrenOf(String pattern) {
    Set<String> children = new LinkedHashSet<>();
    List<String> parent = parts(pattern);
    for (Key<?> key : Keys.ALL) {
      List<String> parts = parts(key.path());
      if (parts.size() > parent.size() && parts.subList(0, parent.size()).equals(parent)) {
        children.add(parts.get(parent.size()));
      }
    }
    return children;
  }

  private static List<String> parts(String path) {
    return path.isEmpty() ? new ArrayList<>() : List.of(path.split("\\.", -1));
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String pathOf(Key<?> key, String chosen) {
    return key.path().replace(ANY, chosen);
  }

  private static int lineOf(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(-1) + 1;
  }
}
