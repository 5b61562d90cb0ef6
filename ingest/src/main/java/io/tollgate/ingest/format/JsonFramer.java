package io.tollgate.ingest.format;

import java.io.IOException;

/**
 * JSON objects: one a file, one a line, printed over many lines, or end to end without anything
 * between them. A brace in the first column of a line always begins an object, so that one that was
 * cut off does not swallow the next: printers indent the braces of inner objects.
 */
final class JsonFramer extends Framer {
  JsonFramer(ByteWindow window, boolean complete) {
    super(window, complete);
  }

  @Override
  Frame frame(ByteWindow bytes) throws IOException {
    int first = bytes.at(0);
    if (isBlank(first)) {
      return blanks(bytes);
    }
    return first == '{' ? object(bytes) : otherText(bytes);
  }

  private Frame blanks(ByteWindow bytes) throws IOException {
    int i = 1;
    while (i < MAX_RECORD_BYTES && isBlank(bytes.at(i))) {
      i++;
    }
    return frame(Frame.Kind.BLANK, i);
  }

  private Frame object(ByteWindow bytes) throws IOException {
    int depth = 0;
    boolean inText = false;
    boolean escaped = false;
    for (int i = 0; i < MAX_RECORD_BYTES; i++) {
      int c = bytes.at(i);
      if (c == ByteWindow.END) {
        return atEnd(Frame.Kind.TORN, i);
      }
      if (c == '\n') {
        // JSON texts hold no bare line end: this one was cut off.
        inText = false;
        escaped = false;
        if (bytes.at(i + 1) == '{') {
          return frame(Frame.Kind.TORN, i + 1);
        }
      } else if (escaped) {
        escaped = false;
      } else if (inText) {
        escaped = c == '\\';
        inText = c != '"';
      } else if (c == '"') {
        inText = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return frame(Frame.Kind.RECORD, i + 1);
      }
    }
    return tooLong();
  }

  private Frame otherText(ByteWindow bytes) throws IOException {
    for (int i = 0; i < MAX_RECORD_BYTES; i++) {
      int c = bytes.at(i);
      if (c == '\n') {
        return lineFrame(Frame.Kind.TORN, i + 1);
      }
      if (c == ByteWindow.END) {
        return atEnd(Frame.Kind.TORN, i);
      }
    }
    return tooLong();
  }

  @Override
  boolean mayBegin(int c) {
    return c == '{';
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
