package io.tollgate.localstack.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The signals a server may be sent. */
public enum Signal {
  /** Please end. */
  TERM,
  /** Please end, and do not wait for your clients. */
  INT,
  /** End at once. */
  KILL,
  /** Stand still. */
  STOP,
  /** Go on. */
  CONT;

  /** Sends this signal. A process that has ended meanwhile is passed over. */
  void send(List<Long> pids) {
    if (pids.isEmpty()) {
      return;
    }
    // Java itself can only send TERM and KILL. The shell has kill built in; a kill program may
    // lack.
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c"));
    command.add("for pid in \"$@\"; do kill -" + name() + " \"$pid\" 2>/dev/null; done; true");
    command.add("kill");
    pids.forEach(pid -> command.add(pid.toString()));
    try {
      new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send SIG" + name() + " to " + pids, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Pause.StoppedWaitingException(e);
    }
  }
}
