package io.tollgate.ingest.format;

import java.io.IOException;

/** One record a line. */
final class LineFramer extends Framer {
  LineFramer(ByteWindow window, boolean complete) {
    super(window, complete);
  }

  @Override
  Frame frame(ByteWindow bytes) throws IOException {
    for (int i = 0; i < MAX_RECORD_BYTES; i++) {
      int c = bytes.at(i);
      if (c == '\n') {
        return lineFrame(Frame.Kind.RECORD, i + 1);
      }
      if (c == ByteWindow.END) {
        return atEnd(Frame.Kind.RECORD, i);
      }
    }
    return tooLong();
  }

  @Override
  boolean mayBegin(int c) {
    return true;
  }
}
