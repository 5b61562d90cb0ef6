package io.tollgate.localstack;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A JVM to be started. All but the marker goes into a file beside the server's other files: class
 * paths are long, and the file shows what runs.
 */
record JavaCommand(
    List<String> jvmOptions, List<Path> classPath, String mainClass, List<String> arguments) {

  /** Returns the command that runs this as a server of the stack. */
  List<String> asServer(ServerFiles files) throws IOException {
    Path options = files.file(".jvm");
    Files.writeString(options, argumentFile());
    return List.of(java(), files.marker(), "@" + options);
  }

  /** Returns the command that runs this as a helper which ends by itself. */
  List<String> asHelper() {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(joinedClassPath());
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  private String argumentFile() {
    List<String> lines = new ArrayList<>(jvmOptions);
    lines.add("-cp");
    lines.add(joinedClassPath());
    lines.add(mainClass);
    lines.addAll(arguments);
    return lines.stream().map(JavaCommand::quoted).collect(Collectors.joining("\n", "", "\n"));
  }

  private String joinedClassPath() {
    return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
