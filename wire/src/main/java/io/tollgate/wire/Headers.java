package io.tollgate.wire;

/** Names of Kafka headers. Values are UTF-8 text; numbers are written in decimal. */
public final class Headers {
  /** Declared id of the source. */
  public static final String SOURCE = "source";

  /** Id of the batch. */
  public static final String BATCH = "batch";

  /** Number of the record in its batch, from 0, at most 2^31 - 1. */
  public static final String BATCH_SEQ = "batch-seq";

  /**
   * Set when the value is not a CDR but a line of a file that could not be made into one: says why.
   * The record is rejected for that reason, so that every line of a batch has an outcome.
   */
  public static final String BAD_LINE = "bad-line";

  /** Set to 1 when the CDR cannot be told apart from another one of its file. */
  public static final String INDISTINGUISHABLE = "indistinguishable";

  /** Format of the file that a bad line came from. */
  public static final String FORMAT = "format";

  /** Header line of the file that a bad line came from, where the format has one. */
  public static final String COLUMNS = "columns";

  /** {@code file:line} of the record, for people. */
  public static final String PLACE = "place";

  /** On side topics: {@link io.tollgate.domain.outcome.Reason}. */
  public static final String REASON = "reason";

  /** On side topics: what was found and what was expected, for people. */
  public static final String DETAIL = "detail";

  /** On side topics: where the record stood, {@code topic}. */
  public static final String ORIGIN_TOPIC = "origin-topic";

  /** On side topics: where the record stood, Kafka partition. */
  public static final String ORIGIN_PARTITION = "origin-partition";

  /** On side topics: where the record stood, Kafka offset. */
  public static final String ORIGIN_OFFSET = "origin-offset";

  /** On side topics: the broker's append time of the record, UTC milliseconds. */
  public static final String ORIGIN_APPEND_MILLIS = "origin-append-millis";

  /** On side topics: the key that the record had. */
  public static final String ORIGIN_KEY = "origin-key";

  /** On redriven records: where on the side topic the record was taken from. */
  public static final String REDRIVEN_FROM = "redriven-from";

  private Headers() {}
}
