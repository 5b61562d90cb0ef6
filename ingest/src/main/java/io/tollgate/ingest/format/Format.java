package io.tollgate.ingest.format;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A file format that switches and PBXs write CDRs in. */
public enum Format {
  /** Asterisk {@code cdr_csv} ({@code Master.csv}) and {@code cdr_custom}. */
  ASTERISK(true),
  /** FreeSWITCH {@code mod_cdr_csv}, template {@code example} or declared columns. */
  FREESWITCH_CSV(true),
  /** FreeSWITCH {@code mod_json_cdr}: JSON documents, one per file, per line, or end to end. */
  FREESWITCH_JSON(false),
  /** Cisco CUCM flat files with two header lines. */
  CUCM(false),
  /** One canonical CDR as JSON per line; see {@link io.tollgate.wire.CdrJson}. */
  TOLLGATE_JSON(false);

  private final boolean localTime;

  Format(boolean localTime) {
    this.localTime = localTime;
  }

  /** Returns the name that users write, for example {@code freeswitch-csv}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether its times are written without a zone, so that one must be declared. */
  public boolean needsZone() {
    return localTime;
  }

  /** Returns the format that users call {@code id}. */
  public static Optional<Format> of(String id) {
    return Arrays.stream(values()).filter(format -> format.id().equals(id)).findFirst();
  }

  /** Returns all names, for messages. */
  public static String ids() {
    return Arrays.stream(values()).map(Format::id).collect(Collectors.joining(", "));
  }
}
