package io.tollgate.cli;

import io.tollgate.localstack.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Writes a line for each server that is ready, failed or stopped. */
final class ConsoleProgress implements Progress {
  private static final double MILLIS_PER_SECOND = 1_000;

  private final PrintWriter out;

  ConsoleProgress(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void ready(String server, String address, Duration took) {
    print(
        String.format(
            Locale.ROOT,
            "  %-14s ready after %5.1f s  %s",
            server,
            took.toMillis() / MILLIS_PER_SECOND,
            address));
  }

  @Override
  public void failed(String server) {
    print(String.format(Locale.ROOT, "  %-14s failed", server));
  }

  @Override
  public void stopped(String server) {
    print(String.format(Locale.ROOT, "  %-14s stopped", server));
  }

  private synchronized void print(String line) {
    out.println(line);
    out.flush();
  }
}
