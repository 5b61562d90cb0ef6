package io.tollgate.localstack;

import java.nio.file.Path;

/**
 * Where a server keeps its files.
 *
 * @param folder an absolute folder; several servers may share it (Flink's do)
 * @param name of the server, also the first part of its files' names
 */
record ServerFiles(Path folder, String name) {
  Path pidFile() {
    return folder.resolve(name + ".pid");
  }

  Path log() {
    return folder.resolve(name + ".log");
  }

  Path output() {
    return folder.resolve(name + ".out");
  }

  Path file(String suffix) {
    return folder.resolve(name + suffix);
  }

  /** An argument that the JVM of this server is started with, and no other process. */
  String marker() {
    return "-Dtollgate.server=" + folder.resolve(name);
  }
}
