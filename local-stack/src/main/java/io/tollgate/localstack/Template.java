package io.tollgate.localstack;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A configuration file of a server, kept beside the classes, with places for what differs. */
final class Template {
  private Template() {}

  /** Writes a template to a file, each {@code @{name}} replaced by its value. */
  static void write(String name, Map<String, String> values, Path target) throws IOException {
    try (var in = Template.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("template " + name);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (Map.Entry<String, String> value : values.entrySet()) {
        text = text.replace("@{" + value.getKey() + "}", value.getValue());
      }
      Files.writeString(target, text);
    }
  }
}
