package io.tollgate.ingest.format;

import java.io.IOException;

/**
 * Rows of comma-separated fields. A field that begins with a quote may hold line ends and doubled
 * quotes. Where the quotes of a row do not balance, the row ends with its first line: a row that
 * was cut off must not swallow the good ones after it.
 *
 * <table>
 *   <caption>States</caption>
 *   <tr><th>state</th><th>quote</th><th>comma</th><th>line end</th><th>other</th></tr>
 *   <tr><td>FIELD</td><td>QUOTED</td><td>FIELD</td><td>row ends</td><td>PLAIN</td></tr>
 *   <tr><td>PLAIN</td><td>PLAIN</td><td>FIELD</td><td>row ends</td><td>PLAIN</td></tr>
 *   <tr><td>QUOTED</td><td>CLOSED</td><td>QUOTED</td><td>QUOTED</td><td>QUOTED</td></tr>
 *   <tr><td>CLOSED</td><td>QUOTED</td><td>FIELD</td><td>row ends</td><td>BROKEN, except a carriage
 *       return before a line end</td></tr>
 *   <tr><td>BROKEN</td><td>BROKEN</td><td>BROKEN</td><td>row ends, torn</td><td>BROKEN</td></tr>
 * </table>
 */
final class CsvFramer extends Framer {
  private enum State {
    FIELD,
    PLAIN,
    QUOTED,
    CLOSED,
    BROKEN
  }

  private static final int NONE = -1;

  CsvFramer(ByteWindow window, boolean complete) {
    super(window, complete);
  }

  @Override
  Frame frame(ByteWindow bytes) throws IOException {
    State state = State.FIELD;
    int firstLineEnd = NONE;
    for (int i = 0; i < MAX_RECORD_BYTES; i++) {
      int c = bytes.at(i);
      if (c == ByteWindow.END) {
        return atEnd(state, firstLineEnd, i);
      }
      if (c == '\n') {
        if (state == State.BROKEN) {
          return frame(Frame.Kind.TORN, i + 1);
        }
        if (state != State.QUOTED) {
          return lineFrame(Frame.Kind.RECORD, i + 1);
        }
        if (firstLineEnd == NONE) {
          firstLineEnd = i + 1;
        }
        continue;
      }
      state = next(state, c, bytes.at(i + 1));
      if (state == State.BROKEN && firstLineEnd != NONE) {
        return frame(Frame.Kind.TORN, firstLineEnd);
      }
    }
    return firstLineEnd == NONE ? tooLong() : frame(Frame.Kind.TORN, firstLineEnd);
  }

  private Frame atEnd(State state, int firstLineEnd, int length) throws IOException {
    if (isComplete() && state == State.QUOTED && firstLineEnd != NONE) {
      return frame(Frame.Kind.TORN, firstLineEnd);
    }
    boolean torn = state == State.QUOTED || state == State.BROKEN;
    return atEnd(torn ? Frame.Kind.TORN : Frame.Kind.RECORD, length);
  }

  private static State next(State state, int c, int following) {
    return switch (state) {
      case FIELD -> c == '"' ? State.QUOTED : c == ',' ? State.FIELD : State.PLAIN;
      case PLAIN -> c == ',' ? State.FIELD : State.PLAIN;
      case QUOTED -> c == '"' ? State.CLOSED : State.QUOTED;
      case CLOSED -> {
        if (c == '"') {
          yield State.QUOTED;
        }
        if (c == ',') {
          yield State.FIELD;
        }
        boolean lineEnd = c == '\r' && (following == '\n' || following == ByteWindow.END);
        yield lineEnd ? State.CLOSED : State.BROKEN;
      }
      case BROKEN -> State.BROKEN;
    };
  }

  @Override
  boolean mayBegin(int c) {
    return true;
  }
}
