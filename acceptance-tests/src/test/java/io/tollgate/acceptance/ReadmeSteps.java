package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A section of a page, followed as it stands: its files are written into an empty folder, and its
 * commands are run there, each by a process of its own.
 */
final class ReadmeSteps {
  private static final Pattern FILE =
      Pattern.compile("```[a-z]+\n# file: (\\S+)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}\\./tollgate (.*)$");
  private static final long PATIENCE_SECONDS = 120;

  private final String section;
  private final Path folder;

  /** What a command printed, and its exit code. */
  record Answer(int exitCode, String text) {}

  /**
   * @param heading of the section, as it stands
   * @param folder where to follow it; not there yet
   */
  ReadmeSteps(Path page, String heading, Path folder) throws IOException {
    String text = Files.readString(page);
    int begin = text.indexOf("\n## " + heading + "\n");
    assertThat(begin).as("section '" + heading + "' of " + page).isNotNegative();
    int end = text.indexOf("\n## ", begin + 1);
    this.section = text.substring(begin, end < 0 ? text.length() : end);
    this.folder = folder;
  }

  /**
   * Writes the files.
   *
   * @param below what is to be a folder of its own, as the page says in words
   * @param isBelow which files belong there
   */
  List<String> writeFiles(String below, List<String> isBelow) throws IOException {
    List<String> names = new ArrayList<>();
    Matcher files = FILE.matcher(section);
    while (files.find()) {
      String name = files.group(1);
      Path file =
          isBelow.contains(name) ? folder.resolve(below).resolve(name) : folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, files.group(2));
      names.add(name);
    }
    return names;
  }

  /** Returns the arguments of each command, in order. */
  List<String> commands() {
    return COMMAND.matcher(section).results().map(found -> found.group(1)).toList();
  }

  /** Returns whether the page says that a command prints {@code text}. */
  boolean says(String text) {
    return section.contains('`' + text + '`');
  }

  /** Runs a command in the folder. */
  Answer run(String command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath()));
    line.add("-Dtollgate.home=" + Installation.HOME.normalize());
    line.add("io.tollgate.cli.Tollgate");
    line.addAll(Arrays.asList(command.split(" ")));
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(command).isTrue();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    Files.delete(output);
    return new Answer(process.exitValue(), text);
  }

  /** Returns what the script {@code ./tollgate} runs, once it is built. */
  private static String classPath() throws IOException {
    Path target = Installation.HOME.resolve("cli/target");
    try (Stream<Path> files = Files.list(target)) {
      Path jar =
          files
              .filter(file -> file.getFileName().toString().matches("cli-[^-]*(-SNAPSHOT)?\\.jar"))
              .findFirst()
              .orElseThrow();
      return jar + File.pathSeparator + Files.readString(target.resolve("classpath")).strip();
    }
  }
}
