package io.tollgate.pricing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A YAML document as a tree with places. Values stay the text that was written ({@code 0800} is not
 * a number), no tag creates an object, keys may not repeat.
 */
final class Yaml {
  private static final int MAX_CHARACTERS = 4 << 20;

  private final String file;
  private final Problems problems;

  Yaml(String file, Problems problems) {
    this.file = file;
    this.problems = problems;
  }

  /** Returns the root of the document; null, with a problem, if it is not a mapping. */
  @Nullable Entry read(String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setCodePointLimit(MAX_CHARACTERS)
            .setMaxAliasesForCollections(20)
            .build();
    try {
      Optional<Node> node = new Compose(settings).composeString(text);
      if (node.isPresent() && node.get() instanceof MappingNode) {
        return new Entry("", node.get());
      }
      problems.error(file, 1, 0, "document", "", "keys and values, such as currency: EUR");
    } catch (MarkedYamlEngineException e) {
      Mark mark = e.getProblemMark().orElse(null);
      problems.error(
          file,
          mark == null ? 0 : mark.getLine() + 1,
          mark == null ? 0 : mark.getColumn() + 1,
          "YAML",
          String.valueOf(e.getProblem()),
          "YAML that can be read");
    } catch (YamlEngineException e) {
      problems.error(file, 0, 0, "YAML", String.valueOf(e.getMessage()), "YAML that can be read");
    }
    return null;
  }

  /** A value with its key and place. */
  final class Entry {
    private final String key;
    private final Node node;

    Entry(String key, Node node) {
      this.key = key;
      this.node = node;
    }

    String key() {
      return key;
    }

    int line() {
      return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    }

    void error(String value, String rule) {
      int column = node.getStartMark().map(mark -> mark.getColumn() + 1).orElse(0);
      problems.error(file, line(), column, key, value, rule);
    }

    boolean isList() {
      return node instanceof SequenceNode;
    }

    boolean isMap() {
      return node instanceof MappingNode;
    }

    /** Returns the text of a scalar; empty, with a problem, if it is none. */
    String text() {
      if (node instanceof ScalarNode scalar) {
        return scalar.getValue().strip();
      }
      error("", "a single value");
      return "";
    }

    /** Returns the elements of a list; a single value is a list of one. */
    List<Entry> list() {
      List<Entry> entries = new ArrayList<>();
      if (node instanceof SequenceNode sequence) {
        sequence.getValue().forEach(element -> entries.add(new Entry(key, element)));
      } else {
        entries.add(this);
      }
      return entries;
    }

    /** Returns texts that stand in a list, or in one value with commas between. */
    List<Entry> texts() {
      List<Entry> entries = new ArrayList<>();
      for (Entry entry : list()) {
        if (!(entry.node instanceof ScalarNode scalar)) {
          entry.error("", "a value or a list of values");
          continue;
        }
        for (String part : scalar.getValue().split(",", -1)) {
          entries.add(
              new Entry(
                  key,
                  new ScalarNode(
                      scalar.getTag(),
                      true,
                      part.strip(),
                      scalar.getScalarStyle(),
                      scalar.getStartMark(),
                      scalar.getEndMark())));
        }
      }
      return entries;
    }

    /** Returns the entries of a mapping by key; repeated keys are a problem. */
    Map<String, Entry> map() {
      Map<String, Entry> entries = new LinkedHashMap<>();
      if (!(node instanceof MappingNode mapping)) {
        error("", "keys and values");
        return entries;
      }
      for (NodeTuple tuple : mapping.getValue()) {
        Entry keyEntry = new Entry(key, tuple.getKeyNode());
        String name = keyEntry.text();
        if (entries.putIfAbsent(name, new Entry(name, tuple.getValueNode())) != null) {
          keyEntry.error(name, "each key once");
        }
      }
      return entries;
    }

    /** Returns the entries of a mapping whose keys are all among {@code known}. */
    Map<String, Entry> map(List<String> known) {
      Map<String, Entry> entries = map();
      entries.forEach(
          (name, entry) -> {
            if (!known.contains(name)) {
              entry.error("", "no such key; known are " + String.join(", ", known));
            }
          });
      return entries;
    }
  }
}
