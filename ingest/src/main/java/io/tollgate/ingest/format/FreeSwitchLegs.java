package io.tollgate.ingest.format;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a FreeSWITCH CSV file are b legs. A row does not say so itself: {@code bleg_uuid}
 * is set on the a leg only, and is empty on b legs as well as on calls that never had one. So a row
 * is a b leg if another row of the file names its {@code uuid}.
 *
 * <p>The two legs of a call are written within moments of each other, in either order. At the end
 * of a file that still grows, a row whose other leg may yet come is left for next time: rows
 * without a {@code bleg_uuid} that ended within {@link #PATIENCE} of the last row. Costs 8 bytes
 * for each bridged call of a file.
 */
public final class FreeSwitchLegs {
  /** How long after a leg its other one is written at most. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  private final LongOpenHashSet named = new LongOpenHashSet();
  private long undecidedFrom;

  private FreeSwitchLegs() {}

  /** Returns the knowledge of a format that does not need any. */
  public static FreeSwitchLegs none() {
    return new FreeSwitchLegs();
  }

  /** Returns whether files of this profile must be read whole to tell the legs apart. */
  public static boolean areNeededFor(SourceProfile profile) {
    return profile.format() == Format.FREESWITCH_CSV
        && profile.legs() != LegPolicy.BOTH
        && !FreeSwitchCsvParser.layoutOf(profile).has("direction");
  }

  /** Opens a file at its beginning, as often as asked. */
  public interface Opening {
    /** Returns a framer of the whole file as it is now. */
    Framer open() throws IOException;
  }

  /**
   * Reads a file whole.
   *
   * @param size bytes of the file
   * @param complete whether nothing will follow, so that no row needs to wait
   */
  public static FreeSwitchLegs scan(
      SourceProfile profile, Opening file, long size, boolean complete) throws IOException {
    FreeSwitchLegs legs = new FreeSwitchLegs();
    CsvLayout layout = FreeSwitchCsvParser.layoutOf(profile);
    LocalDateTime last = legs.collect(layout, file.open());
    legs.undecidedFrom = size;
    if (!complete && last != null) {
      legs.undecidedFrom = legs.firstUndecided(layout, file.open(), last.minus(PATIENCE), size);
    }
    return legs;
  }

  /** Returns where the rows begin that must wait for next time; the file's size if none must. */
  public long undecidedFrom() {
    return undecidedFrom;
  }

  boolean isLegB(String uuid) {
    return named.contains(hash(uuid));
  }

  private @Nullable LocalDateTime collect(CsvLayout layout, Framer framer) throws IOException {
    LocalDateTime last = null;
    for (Frame frame = framer.next(); frame != null; frame = framer.next()) {
      Row row = rowOf(layout, frame);
      if (row == null) {
        continue;
      }
      String bleg = row.stripped("bleg_uuid");
      if (!bleg.isEmpty() && !bleg.equals(row.stripped("uuid"))) {
        named.add(hash(bleg));
      }
      LocalDateTime end = endOf(row);
      if (end != null && (last == null || end.isAfter(last))) {
        last = end;
      }
    }
    return last;
  }

  private long firstUndecided(CsvLayout layout, Framer framer, LocalDateTime after, long size)
      throws IOException {
    for (Frame frame = framer.next(); frame != null; frame = framer.next()) {
      Row row = rowOf(layout, frame);
      if (row == null || !row.stripped("bleg_uuid").isEmpty() || isLegB(row.stripped("uuid"))) {
        continue;
      }
      LocalDateTime end = endOf(row);
      if (end != null && end.isAfter(after)) {
        return frame.from();
      }
    }
    return size;
  }

  private static @Nullable Row rowOf(CsvLayout layout, Frame frame) {
    if (frame.kind() != Frame.Kind.RECORD) {
      return null;
    }
    List<String> fields = CsvFields.split(Row.decode(frame.content()));
    return fields.size() == layout.names().size() ? layout.row(fields) : null;
  }

  private static @Nullable LocalDateTime endOf(Row row) {
    try {
      return LocalDateTime.parse(row.stripped("end_stamp"), STAMP);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** FNV-1a of 64 bits: among 100 million legs two agree by chance with probability 0.0003. */
  private static long hash(String uuid) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < uuid.length(); i++) {
      hash = (hash ^ uuid.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
