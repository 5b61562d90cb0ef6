package io.tollgate.cli;

import io.tollgate.ingest.batch.Progress;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Shows how far a long file is: on a terminal one line that is written over, elsewhere a line now
 * and then.
 */
final class RecordProgress implements Progress {
  private static final long TERMINAL_NANOS = 500_000_000L;
  private static final long LOG_NANOS = 10_000_000_000L;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private long shownAtNanos = System.nanoTime();
  private boolean lineIsOpen;

  /** Returns a display on the standard error of this process. */
  @SuppressWarnings("SystemConsoleNull") // Tollgate runs on Java 17, where it means no terminal.
  static RecordProgress on(PrintWriter err) {
    return new RecordProgress(err, System.console() != null);
  }

  /**
   * Creates the display.
   *
   * @param terminal whether {@code out} is a screen
   */
  RecordProgress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public synchronized void at(String file, long done, long of, long records) {
    long now = System.nanoTime();
    if (now - shownAtNanos < (terminal ? TERMINAL_NANOS : LOG_NANOS)) {
      return;
    }
    shownAtNanos = now;
    long percent = of == 0 ? 100 : done * 100 / of;
    String line = String.format(Locale.ROOT, "%s: %d %%, %,d records", file, percent, records);
    if (terminal) {
      out.print(CLEAR_LINE + line);
      lineIsOpen = true;
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** Prints a line of its own. */
  synchronized void say(String message) {
    end();
    out.println(message);
    out.flush();
  }

  /** Takes the line that is written over off the screen. */
  synchronized void end() {
    if (lineIsOpen) {
      out.print(CLEAR_LINE);
      out.flush();
      lineIsOpen = false;
    }
  }
}
