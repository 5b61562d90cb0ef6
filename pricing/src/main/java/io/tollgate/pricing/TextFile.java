package io.tollgate.pricing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a whole text file as UTF-8, or says why not. */
public final class TextFile {
  private static final long MAX_BYTES = 512L << 20;
  private static final char BOM = '\uFEFF';

  private TextFile() {}

  /** Returns the text without a byte order mark; null, with a problem, if it cannot be read. */
  public static @Nullable String read(Path file, String name, Problems problems) {
    try {
      long size = Files.size(file);
      if (size > MAX_BYTES) {
        problems.error(name, 0, 0, "size", size + " bytes", "at most 512 MiB");
        return null;
      }
      return decode(Files.readAllBytes(file), name, problems);
    } catch (IOException e) {
      problems.error(name, 0, 0, "file", String.valueOf(e.getMessage()), "a readable file");
      return null;
    }
  }

  private static @Nullable String decode(byte[] bytes, String name, Problems problems) {
    if (bytes.length >= 2
        && ((bytes[0] == (byte) 0xff && bytes[1] == (byte) 0xfe)
            || (bytes[0] == (byte) 0xfe && bytes[1] == (byte) 0xff))) {
      problems.error(name, 1, 0, "encoding", "UTF-16", "UTF-8; save as 'CSV UTF-8'");
      return null;
    }
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    if (decoder.decode(in, out, true).isError()) {
      int line = 1;
      for (int i = 0; i < in.position(); i++) {
        line += bytes[i] == '\n' ? 1 : 0;
      }
      String value = String.format("byte 0x%02x", bytes[in.position()]);
      problems.error(name, line, 0, "encoding", value, "UTF-8; save as 'CSV UTF-8'");
      return null;
    }
    String text = out.flip().toString();
    return !text.isEmpty() && text.charAt(0) == BOM ? text.substring(1) : text;
  }
}
