package io.tollgate.localstack;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The jars of a server, as the build resolved them into local-stack/servers/NAME/target/classpath.
 *
 * @param buildFolder where files derived from the jars may be kept; the build's clean removes it
 */
record Artifacts(List<Path> jars, Path buildFolder) {
  Artifacts {
    jars = List.copyOf(jars);
  }

  static Artifacts of(Path home, String server) {
    Path target = home.resolve("local-stack/servers/" + server + "/target");
    Path list = target.resolve("classpath");
    if (!Files.isRegularFile(list)) {
      throw new IllegalStateException(
          list + ": missing (expected: written by the build; run mvn -DskipTests package)");
    }
    try {
      List<Path> jars =
          Arrays.stream(Files.readString(list).strip().split(File.pathSeparator))
              .map(Path::of)
              .toList();
      List<Path> lost = jars.stream().filter(jar -> !Files.exists(jar)).toList();
      if (!lost.isEmpty()) {
        throw new IllegalStateException(
            lost + ": missing (expected: in the local Maven repository; build again)");
      }
      return new Artifacts(jars, target);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + list, e);
    }
  }
}
