package io.tollgate.localstack;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the project, under which the build has left the class paths of the servers.
 *
 * <p>It is the system property {@value #PROPERTY} if that is set (the script does), else the
 * nearest folder above this class (tests in the build, an IDE), else the nearest above the working
 * folder.
 */
final class ProjectHome {
  static final String PROPERTY = "tollgate.home";

  private static final Path SIGN = Path.of("local-stack", "servers", "pom.xml");

  private ProjectHome() {}

  static Path find() {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      Path home = Path.of(given).toAbsolutePath().normalize();
      if (!isHome(home)) {
        throw new IllegalStateException(
            PROPERTY + ": " + given + " (expected: a folder with " + SIGN + ")");
      }
      return home;
    }
    return Stream.of(codeSource(), Optional.of(Path.of("").toAbsolutePath()))
        .flatMap(Optional::stream)
        .flatMap(ProjectHome::upwards)
        .filter(ProjectHome::isHome)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    PROPERTY + ": not set (expected: the project's folder, with " + SIGN + ")"));
  }

  /** Returns where this class was loaded from: a jar or a folder of classes. */
  static Optional<Path> codeSource() {
    try {
      return Optional.of(
          Path.of(ProjectHome.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static Stream<Path> upwards(Path start) {
    return Stream.iterate(start, ProjectHome::exists, ProjectHome::above);
  }

  private static boolean exists(@Nullable Path folder) {
    return folder != null;
  }

  private static @Nullable Path above(Path folder) {
    return folder.getParent();
  }

  private static boolean isHome(Path folder) {
    return Files.isRegularFile(folder.resolve(SIGN));
  }
}
