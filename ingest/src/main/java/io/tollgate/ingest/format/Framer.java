package io.tollgate.ingest.format;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds where records begin and end, without understanding them. Where a frame ends depends only on
 * the bytes from its beginning on, and a file that grows never changes a frame that was whole; so a
 * range that ends with a frame has the same frames whenever it is read again.
 */
public abstract class Framer {
  /** Longest record that is read. Longer ones are bad lines; a Kafka message holds 1 MiB. */
  public static final int MAX_RECORD_BYTES = 512 * 1024;

  /** How much is kept of a record that is too long. */
  public static final int KEPT_BYTES = 64 * 1024;

  private static final int[] UTF8_MARK = {0xEF, 0xBB, 0xBF};
  private static final int CTRL_Z = 0x1A;

  private final ByteWindow window;
  private final boolean complete;

  Framer(ByteWindow window, boolean complete) {
    this.window = window;
    this.complete = complete;
  }

  /**
   * Opens a file, or a range of one.
   *
   * @param in positioned at byte {@code from} of the file
   * @param from where the first frame begins
   * @param line number of the line there, from 1
   * @param to byte after the last one to read
   * @param complete whether nothing will follow; if not, a record without its end is pending
   */
  public static Framer open(
      Format format, InputStream in, long from, long line, long to, boolean complete) {
    ByteWindow window = new ByteWindow(in, from, line, to);
    return switch (format) {
      case ASTERISK, FREESWITCH_CSV, CUCM -> new CsvFramer(window, complete);
      case FREESWITCH_JSON -> new JsonFramer(window, complete);
      case TOLLGATE_JSON -> new LineFramer(window, complete);
    };
  }

  /**
   * Returns the next frame, or null after the last.
   *
   * @throws IOException if the file cannot be read or became shorter
   */
  public final @Nullable Frame next() throws IOException {
    if (window.at(0) == ByteWindow.END) {
      return null;
    }
    if (window.position() == 0 && startsWithMark()) {
      return frame(Frame.Kind.MARK, UTF8_MARK.length);
    }
    return frame(window);
  }

  abstract Frame frame(ByteWindow bytes) throws IOException;

  /** Makes a frame of the first {@code length} bytes, looking at whether they say anything. */
  final Frame lineFrame(Frame.Kind kind, int length) throws IOException {
    int content = contentLength(length);
    boolean blank = true;
    for (int i = 0; i < content && blank; i++) {
      int c = window.at(i);
      blank = c == ' ' || c == '\t' || c == '\r';
    }
    if (blank) {
      return frame(Frame.Kind.BLANK, length);
    }
    if (content == 1 && window.at(0) == CTRL_Z) {
      return frame(Frame.Kind.MARK, length);
    }
    return frame(kind, length);
  }

  final Frame frame(Frame.Kind kind, int length) throws IOException {
    boolean hasContent = kind == Frame.Kind.RECORD || kind == Frame.Kind.TORN;
    byte[] content = hasContent ? window.copy(contentLength(length)) : new byte[0];
    Frame frame = new Frame(window.position(), length, window.line(), kind, content);
    window.advance(length);
    return frame;
  }

  /** Makes the frame of a record that the file ends within, {@code length} bytes before its end. */
  final Frame atEnd(Frame.Kind kind, int length) throws IOException {
    return complete ? lineFrame(kind, length) : frame(Frame.Kind.PENDING, length);
  }

  /** Makes one frame of everything up to the next line that may begin a record. */
  final Frame tooLong() throws IOException {
    long from = window.position();
    long line = window.line();
    byte[] content = window.copy(KEPT_BYTES);
    window.advance(MAX_RECORD_BYTES);
    int last = ByteWindow.END;
    while (true) {
      int c = window.at(0);
      if (last == '\n' && mayBegin(c)) {
        return new Frame(from, window.position() - from, line, Frame.Kind.TOO_LONG, content);
      }
      if (c == ByteWindow.END) {
        Frame.Kind kind = complete ? Frame.Kind.TOO_LONG : Frame.Kind.PENDING;
        return new Frame(from, window.position() - from, line, kind, content);
      }
      window.advance(1);
      last = c;
    }
  }

  /**
   * Returns whether a line that starts with {@code c}, or {@link ByteWindow#END}, may be the
   * beginning of a record.
   */
  abstract boolean mayBegin(int c);

  final boolean isComplete() {
    return complete;
  }

  private boolean startsWithMark() throws IOException {
    for (int i = 0; i < UTF8_MARK.length; i++) {
      if (window.at(i) != UTF8_MARK[i]) {
        return false;
      }
    }
    return true;
  }

  private int contentLength(int length) throws IOException {
    int content = length;
    if (content > 0 && window.at(content - 1) == '\n') {
      content--;
      if (content > 0 && window.at(content - 1) == '\r') {
        content--;
      }
    }
    return content;
  }
}
