package io.tollgate.config;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * What a value may be: how it is read, and the rule that a message and the documentation show.
 *
 * @param name short name of the type for the documentation
 * @param rule what is expected, in words
 * @param parser reads a node or says what is wrong with it
 */
record ValueType<T>(String name, String rule, Parser<T> parser) {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Pattern ENVIRONMENT = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  private static final Pattern HOST_PORT =
      Pattern.compile("(?:\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):(\\d{1,5})");
  private static final Pattern HIDDEN_PROPERTY =
      Pattern.compile("password|secret|jaas|token|credential|\\.key$", Pattern.CASE_INSENSITIVE);
  private static final String FILE_PREFIX = "file:";
  private static final int MAX_PORT = 65_535;

  /** Reads one node. */
  interface Parser<T> {
    T parse(Node node, UnaryOperator<@Nullable String> environment) throws BadValue;
  }

  /** Reads the text of a scalar. */
  private interface TextParser<T> {
    T parse(String text) throws BadValue;
  }

  T parse(Node node, UnaryOperator<@Nullable String> environment) throws BadValue {
    return parser.parse(node, environment);
  }

  static ValueType<String> text(String name, String rule, String regex) {
    Pattern pattern = Pattern.compile(regex);
    return scalar(
        name,
        rule,
        text -> {
          if (!pattern.matcher(text).matches()) {
            throw BadValue.of(text, rule);
          }
          return text;
        });
  }

  static ValueType<String> choice(String... choices) {
    List<String> allowed = List.of(choices);
    String rule = allowed.size() == 1 ? allowed.get(0) : "one of " + String.join(", ", allowed);
    return scalar(
        "choice",
        rule,
        text -> {
          if (!allowed.contains(text)) {
            throw BadValue.of(text, rule);
          }
          return text;
        });
  }

  /** A regular expression for file names, with the number of the file as its only group. */
  static ValueType<String> numberedName() {
    String rule =
        "a regular expression of the whole file name with one group, its number, such as"
            + " cdr_(\\d+)\\.csv";
    return scalar(
        "regular expression",
        rule,
        text -> {
          try {
            if (Pattern.compile(text).matcher("").groupCount() == 1) {
              return text;
            }
          } catch (PatternSyntaxException e) {
            throw BadValue.of(text, rule);
          }
          throw BadValue.of(text, rule);
        });
  }

  static ValueType<Boolean> yesNo() {
    String rule = "true or false";
    return scalar(
        "boolean",
        rule,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw BadValue.of(text, rule);
            });
  }

  static ValueType<Integer> integer(int min, int max) {
    String rule = "a whole number, " + min + " to " + max;
    return scalar(
        "integer",
        rule,
        text -> {
          try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
              return value;
            }
          } catch (NumberFormatException e) {
            throw BadValue.of(text, rule);
          }
          throw BadValue.of(text, rule);
        });
  }

  static ValueType<Integer> port() {
    return integer(1, MAX_PORT);
  }

  static ValueType<Duration> duration(Duration min, Duration max) {
    String rule = "a number and a unit (ms, s, m, h, d), " + shown(min) + " to " + shown(max);
    return scalar(
        "duration",
        rule,
        text -> {
          Matcher matcher = DURATION.matcher(text);
          if (!matcher.matches()) {
            throw BadValue.of(text, rule);
          }
          Duration value = durationOf(Long.parseLong(matcher.group(1)), matcher.group(2));
          if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw BadValue.of(text, rule);
          }
          return value;
        });
  }

  static ValueType<ZoneId> zone() {
    String rule = "a zone of the tz database such as Europe/Berlin, or an offset such as +02:00";
    return scalar(
        "time zone",
        rule,
        text -> {
          try {
            return ZoneId.of(text);
          } catch (DateTimeException e) {
            throw BadValue.of(text, rule);
          }
        });
  }

  static ValueType<URI> uri(String example, String... schemes) {
    String rule = "a URL such as " + example;
    return scalar(
        "URL",
        rule,
        text -> {
          try {
            URI uri = new URI(text);
            if (uri.getHost() != null && List.of(schemes).contains(uri.getScheme())) {
              return uri;
            }
          } catch (URISyntaxException e) {
            throw BadValue.of(text, rule);
          }
          throw BadValue.of(text, rule);
        });
  }

  static ValueType<List<String>> hostPorts() {
    String rule = "host:port, several as a list or with commas between";
    return new ValueType<>(
        "list of host:port",
        rule,
        (node, environment) -> {
          List<String> hosts = texts(node, rule);
          if (hosts.isEmpty()) {
            throw BadValue.of("", rule);
          }
          for (String host : hosts) {
            Matcher matcher = HOST_PORT.matcher(host);
            if (!matcher.matches()
                || Integer.parseInt(matcher.group(1)) < 1
                || Integer.parseInt(matcher.group(1)) > MAX_PORT) {
              throw BadValue.of(host, rule);
            }
          }
          return hosts;
        });
  }

  static ValueType<List<String>> textList(String rule) {
    return new ValueType<>("list of text", rule, (node, environment) -> texts(node, rule));
  }

  static ValueType<Secret> secret() {
    String rule = "${NAME} of an environment variable, or file:/path; never the secret itself";
    return new ValueType<>(
        "secret",
        rule,
        (node, environment) -> {
          if (!(node instanceof ScalarNode scalar) || !isReference(scalar.getValue())) {
            throw new BadValue("(hidden) (expected: " + rule + ")");
          }
          return resolved(scalar.getValue(), environment);
        });
  }

  /** Properties handed to a client as they are; those that hold secrets must be references. */
  static ValueType<Map<String, Secret>> properties() {
    String rule =
        "a map of property to value; a value may be ${NAME} or file:/path, and one that holds a"
            + " secret must be";
    return new ValueType<>(
        "map",
        rule,
        (node, environment) -> {
          if (!(node instanceof MappingNode mapping)) {
            throw BadValue.of(kindOf(node), rule);
          }
          Map<String, Secret> properties = new LinkedHashMap<>();
          for (NodeTuple tuple : mapping.getValue()) {
            property(tuple, properties, environment, rule);
          }
          return Collections.unmodifiableMap(properties);
        });
  }

  private static void property(
      NodeTuple tuple,
      Map<String, Secret> properties,
      UnaryOperator<@Nullable String> environment,
      String rule)
      throws BadValue {
    if (!(tuple.getKeyNode() instanceof ScalarNode name)
        || !(tuple.getValueNode() instanceof ScalarNode value)) {
      throw BadValue.of("a nested value", rule);
    }
    String property = name.getValue();
    String text = value.getValue();
    if (isReference(text)) {
      properties.put(property, resolved(text, environment));
      return;
    }
    if (HIDDEN_PROPERTY.matcher(property).find()) {
      throw new BadValue(property + ": (hidden) (expected: " + secret().rule() + ")");
    }
    properties.put(property, new Secret(text));
  }

  private static <T> ValueType<T> scalar(String name, String rule, TextParser<T> parser) {
    return new ValueType<>(
        name,
        rule,
        (node, environment) -> {
          if (!(node instanceof ScalarNode scalar)) {
            throw BadValue.of(kindOf(node), rule);
          }
          if (scalar.getTag().equals(Tag.NULL) && scalar.isPlain()) {
            throw new BadValue("empty (expected: " + rule + ")");
          }
          return parser.parse(scalar.getValue());
        });
  }

  private static List<String> texts(Node node, String rule) throws BadValue {
    List<String> found = new ArrayList<>();
    if (node instanceof ScalarNode scalar) {
      for (String part : scalar.getValue().split(",", -1)) {
        found.add(part.strip());
      }
    } else if (node instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        if (!(item instanceof ScalarNode scalar)) {
          throw BadValue.of(kindOf(item), rule);
        }
        found.add(scalar.getValue());
      }
    } else {
      throw BadValue.of(kindOf(node), rule);
    }
    for (String text : found) {
      if (text.isBlank()) {
        throw BadValue.of(text, rule);
      }
    }
    return List.copyOf(found);
  }

  private static boolean isReference(String text) {
    return ENVIRONMENT.matcher(text).matches() || text.startsWith(FILE_PREFIX);
  }

  private static Secret resolved(String reference, UnaryOperator<@Nullable String> environment)
      throws BadValue {
    Matcher matcher = ENVIRONMENT.matcher(reference);
    if (matcher.matches()) {
      String value = environment.apply(matcher.group(1));
      if (value == null || value.isEmpty()) {
        throw BadValue.of(reference, "an environment variable that is set and not empty");
      }
      return new Secret(value);
    }
    return fromFile(reference);
  }

  private static Secret fromFile(String reference) throws BadValue {
    String rule = "file: and the absolute path of a readable file that is not empty";
    try {
      Path path = Path.of(reference.substring(FILE_PREFIX.length()));
      if (!path.isAbsolute()) {
        throw BadValue.of(reference, rule);
      }
      // Editors and `echo` end a file with a line break that is no part of the secret.
      String value = Files.readString(path).stripTrailing();
      if (value.isEmpty()) {
        throw BadValue.of(reference, rule);
      }
      return new Secret(value);
    } catch (IOException | InvalidPathException e) {
      throw BadValue.of(reference, rule);
    }
  }

  private static Duration durationOf(long number, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  /** Returns a duration as it would stand in the file, in the largest unit that is whole. */
  static String shown(Duration duration) {
    long millis = duration.toMillis();
    if (millis % Duration.ofDays(1).toMillis() == 0) {
      return duration.toDays() + "d";
    }
    if (millis % Duration.ofHours(1).toMillis() == 0) {
      return duration.toHours() + "h";
    }
    if (millis % Duration.ofMinutes(1).toMillis() == 0) {
      return duration.toMinutes() + "m";
    }
    return millis % 1000 == 0 ? duration.toSeconds() + "s" : millis + "ms";
  }

  private static String kindOf(Node node) {
    return node instanceof SequenceNode ? "a list" : "a map";
  }
}
