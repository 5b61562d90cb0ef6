package io.tollgate.ingest.generate;

import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What a generated record is made for.
 *
 * <table>
 *   <caption>Expected outcome</caption>
 *   <tr><th>kind</th><th>straight to Kafka</th><th>through a file</th></tr>
 *   <tr><td>FRESH</td><td>RATED</td><td>RATED</td></tr>
 *   <tr><td>DUPLICATE</td><td>DUPLICATE</td><td>DUPLICATE</td></tr>
 *   <tr><td>CONFLICT</td><td>CONFLICT</td><td>CONFLICT</td></tr>
 *   <tr><td>UNPRICED</td><td>SUSPENDED, NO_DESTINATION</td><td>the same</td></tr>
 *   <tr><td>NOISE, CUT_OFF</td><td>REJECTED, UNREADABLE</td><td>REJECTED, BAD_LINE</td></tr>
 *   <tr><td>UNKNOWN_SCHEMA</td><td>REJECTED, UNKNOWN_SCHEMA</td><td>REJECTED, BAD_LINE</td></tr>
 *   <tr><td>NEGATIVE, NO_ACCOUNT, LONG_ID, CONTROL_CHARACTER</td><td>REJECTED, INVALID</td>
 *       <td>REJECTED, BAD_LINE</td></tr>
 *   <tr><td>AHEAD</td><td>REJECTED, INVALID</td><td>the same: only the job has a clock</td></tr>
 * </table>
 */
public enum Kind {
  /** A good record with an id of its own. */
  FRESH(null, null),
  /** An earlier fresh record again. */
  DUPLICATE(Reason.SAME_CONTENT, Reason.SAME_CONTENT),
  /** The id of an earlier fresh record with another usage, called party or start. */
  CONFLICT(Reason.OTHER_CONTENT, Reason.OTHER_CONTENT),
  /** A call to a destination without a price. */
  UNPRICED(Reason.NO_DESTINATION, Reason.NO_DESTINATION),
  /** Bytes that are no CDR. */
  NOISE(Reason.UNREADABLE, Reason.BAD_LINE),
  /** The first half of a CDR. */
  CUT_OFF(Reason.UNREADABLE, Reason.BAD_LINE),
  /** A CDR of a schema that nobody published; in a file, of unknown names. */
  UNKNOWN_SCHEMA(Reason.UNKNOWN_SCHEMA, Reason.BAD_LINE),
  /** Usage below zero. */
  NEGATIVE(Reason.INVALID, Reason.BAD_LINE),
  /** No account. */
  NO_ACCOUNT(Reason.INVALID, Reason.BAD_LINE),
  /** An id of 10 kB. */
  LONG_ID(Reason.INVALID, Reason.BAD_LINE),
  /** A control character in the id. */
  CONTROL_CHARACTER(Reason.INVALID, Reason.BAD_LINE),
  /** A start in the year 2106. */
  AHEAD(Reason.INVALID, Reason.INVALID);

  private final @Nullable Reason inKafka;
  private final @Nullable Reason inFile;

  Kind(@Nullable Reason inKafka, @Nullable Reason inFile) {
    this.inKafka = inKafka;
    this.inFile = inFile;
  }

  /** Returns why it is not rated when it is sent straight to Kafka; null if it is. */
  public @Nullable Reason reasonInKafka() {
    return inKafka;
  }

  /** Returns why it is not rated when it is ingested from a file; null if it is. */
  public @Nullable Reason reasonInFile() {
    return inFile;
  }

  /** Returns the expected outcome. */
  public Outcome outcome() {
    return inKafka == null ? Outcome.RATED : inKafka.outcome();
  }
}
