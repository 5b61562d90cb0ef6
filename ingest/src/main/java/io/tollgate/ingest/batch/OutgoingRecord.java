package io.tollgate.ingest.batch;

import io.tollgate.domain.cdr.Cdr;
import org.jspecify.annotations.Nullable;

/**
 * One record of a batch on its way to the topic {@code cdr}.
 *
 * @param batchSeq number in its batch, from 0
 * @param place {@code file:line}, for people
 * @param body what it says
 */
public record OutgoingRecord(long batchSeq, String place, Body body) {

  /** A CDR, or the bytes of one that is none. */
  public sealed interface Body {}

  /**
   * A CDR.
   *
   * @param cdr the record
   * @param indistinguishable whether its file holds an equal one before it, without an id
   */
  public record Good(Cdr cdr, boolean indistinguishable) implements Body {}

  /**
   * A record that could not be made into a CDR: rejected, with its bytes and the reason.
   *
   * @param bytes as they stand in the file, without the line end
   * @param reason all its faults
   * @param format see {@link io.tollgate.ingest.format.Format#id()}
   * @param columns names of its columns, empty if the format has none
   */
  @SuppressWarnings("ArrayRecordComponent") // Made once per bad line; never compared.
  public record Bad(byte[] bytes, String reason, String format, String columns) implements Body {}

  /**
   * Bytes that are sent as they are and carry no word about themselves, for tests of the job.
   *
   * @param bytes the value
   * @param key the Kafka key, null for none
   */
  @SuppressWarnings("ArrayRecordComponent") // Made once per record; never compared.
  public record Raw(byte[] bytes, @Nullable String key) implements Body {}
}
