package io.tollgate.cli.explain;

import java.util.List;
import java.util.NavigableMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * All that was found of a batch.
 *
 * @param said what its source said on the topic of control totals, in order
 * @param records how many records its control totals say at most; -1 if none came
 * @param rated batch-seqs that receipts call RATED
 * @param unrated batch-seqs that receipts give another outcome
 * @param highestSeq highest batch-seq seen in the topic of CDRs; -1 if none
 * @param topic how far the topic of CDRs was looked at
 * @param receipts how far the topic of receipts was looked at
 * @param file what its file says; see {@link FileClue}
 * @param named records that were asked about or that disagree, by batch-seq
 * @param unnamed how many more would have been named
 */
public record BatchClues(
    BatchKey key,
    List<Said> said,
    long records,
    RoaringBitmap rated,
    RoaringBitmap unrated,
    long highestSeq,
    Look topic,
    Look receipts,
    FileClue file,
    NavigableMap<Long, RecordClues> named,
    long unnamed) {

  /** How far a place was looked at. */
  public enum Look {
    /** Everything that could concern the batch. */
    WHOLE,
    /** All that is left: the topic no longer keeps the beginning of the stretch. */
    SHORTENED,
    /** Time was over before the end. */
    PART,
    /** Not at all. */
    NONE
  }

  /**
   * A message about the batch on the topic of control totals.
   *
   * @param what what it says, for people
   * @param partition Kafka partition
   * @param offset Kafka offset
   * @param atMillis when it was sent, by the sender's clock
   */
  public record Said(String what, int partition, long offset, long atMillis) {}

  /** Whether the batch was found in its file. */
  public enum InFile {
    /** Its file was not at hand, or how to read it is not declared. */
    NOT_LOOKED_AT,
    /** The file holds the very bytes that were announced. */
    FOUND,
    /** The file no longer holds the bytes that were announced. */
    CHANGED
  }

  /**
   * What the file says.
   *
   * @param file its name as it was announced; empty if it was not
   * @param fromByte first byte of the batch in it; -1 if unknown
   * @param toByte byte after the last one; -1 if unknown
   * @param records records that the batch has in it; -1 if unknown
   * @param note where it was looked for, for people; empty if there is nothing to say
   */
  public record FileClue(
      String file, long fromByte, long toByte, InFile inFile, long records, String note) {
    static final FileClue UNKNOWN = new FileClue("", -1, -1, InFile.NOT_LOOKED_AT, -1, "");

    FileClue with(InFile found, long count, String why) {
      return new FileClue(file, fromByte, toByte, found, count, why);
    }
  }

  /** Returns the records that no receipt names, of those that the control totals say. */
  public RoaringBitmap withoutReceipt() {
    RoaringBitmap missing = new RoaringBitmap();
    if (records > 0) {
      missing.add(0L, Math.min(records, Integer.MAX_VALUE + 1L));
      missing.andNot(rated);
      missing.andNot(unrated);
    }
    return missing;
  }

  /** Returns the records that receipts name beyond those that the control totals say. */
  public RoaringBitmap beyondTotal() {
    RoaringBitmap surplus = RoaringBitmap.or(rated, unrated);
    if (records < 0) {
      return new RoaringBitmap();
    }
    surplus.remove(0L, Math.min(records, Integer.MAX_VALUE + 1L));
    return surplus;
  }
}
