package io.tollgate.localstack;

import io.tollgate.localstack.process.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How one kind of server is started and how one knows that it answers. */
interface Recipe {
  ServerFiles files();

  /** Returns where clients reach the server. */
  String address();

  /** Returns the ports that must be free before the server is started. */
  List<Integer> ports();

  /** Writes the configuration, creates the data if there is none, and says what to run. */
  Launch prepare() throws IOException;

  /** Says whether the server serves requests now. Takes at most about two seconds. */
  boolean answers();

  /** Returns the file that tells what the server does. */
  default Path log() {
    return files().log();
  }

  /** Returns an argument that this server is started with, and no other process. */
  default String marker() {
    return files().marker();
  }

  /** Returns the signal that makes it stop in an orderly way. */
  default Signal politeSignal() {
    return Signal.TERM;
  }
}
