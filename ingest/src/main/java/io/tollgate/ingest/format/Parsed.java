package io.tollgate.ingest.format;

import io.tollgate.domain.cdr.Cdr;
import java.util.List;

/** What a frame turned out to be. */
public sealed interface Parsed {

  /**
   * A CDR.
   *
   * @param cdr the record
   * @param idFromContent whether its id was made from its content, so that an equal row cannot be
   *     told from a repeat of this one
   */
  record Call(Cdr cdr, boolean idFromContent) implements Parsed {}

  /**
   * A record that cannot be made into a CDR.
   *
   * @param faults all of them, each {@code name: value (expected: rule)}
   */
  record BadLine(List<String> faults) implements Parsed {

    /** Returns all faults as one text. */
    public String reason() {
      return String.join("; ", faults);
    }
  }

  /**
   * Bytes that are no record.
   *
   * @param name what they are, for people
   */
  record NonRecord(String name) implements Parsed {}
}
