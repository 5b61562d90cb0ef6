package io.tollgate.cli.explain;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.outcome.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that was found of one record. What is empty was not found where it was looked for; {@link
 * BatchClues} says where that was.
 *
 * @param seq its number in the batch
 * @param copies where it stands in the topic of CDRs: once, or once more for each time it was sent
 * @param receipts what the rating job says of it
 * @param rows its rows in the ledger, all revisions, whatever hour they lie in
 * @param kept where it waits on a side topic
 * @param line where it stands in its file; absent if that is not known
 */
public record RecordClues(
    long seq,
    List<Copy> copies,
    List<Named> receipts,
    List<RowClue> rows,
    List<Kept> kept,
    @Nullable Line line) {

  public RecordClues {
    copies = List.copyOf(copies);
    receipts = List.copyOf(receipts);
    rows = List.copyOf(rows);
    kept = List.copyOf(kept);
  }

  /**
   * A record of the topic of CDRs.
   *
   * @param seq batch-seq that its header says
   * @param place {@code file:line} that it was read from; empty if its sender did not say
   * @param badLine why its line is no CDR; empty if it is one
   * @param cdr the record; null if it cannot be read
   * @param isCommitted whether the rating job has committed an offset behind it
   */
  public record Copy(
      BatchKey key,
      long seq,
      int partition,
      long offset,
      String place,
      String badLine,
      @Nullable Cdr cdr,
      boolean isCommitted) {}

  /**
   * A receipt's word about the record.
   *
   * @param reason why it was not rated; empty if it was
   * @param partition Kafka partition; -1 if the receipt names it in a set only
   * @param offset Kafka offset; -1 likewise
   * @param usageHour hour of its row; -1 if it has none
   * @param bucket bucket of its row; -1 if it has none, or only the ledger could tell
   * @param identity account and event; null if the receipt names it in a set only
   */
  public record Named(
      Outcome outcome,
      String reason,
      int partition,
      long offset,
      long usageHour,
      int bucket,
      @Nullable Identity identity) {}

  /**
   * Who pays for what.
   *
   * @param startMillis when usage began, UTC milliseconds
   */
  public record Identity(String accountId, String eventId, long startMillis) {}

  /**
   * A row of the ledger.
   *
   * @param bucket bucket that it was found in
   * @param isOfRecord whether the row says that it was made of this record, and not of a repeat
   * @param isPlaceKnown whether it is known what the topic has at the row's partition and offset
   * @param atItsPlace what it has there; null if nothing
   */
  public record RowClue(
      Charge charge,
      int bucket,
      boolean isOfRecord,
      boolean isPlaceKnown,
      @Nullable Copy atItsPlace) {}

  /** A record on a side topic. */
  public record Kept(
      String topic, Outcome outcome, String reason, String detail, int partition, long offset) {}

  /**
   * A line of a file.
   *
   * @param number of the line, from 1
   * @param isExact whether it was counted in the file; otherwise it follows from its neighbours
   * @param text the line; empty if the file was not at hand
   */
  public record Line(String file, long number, boolean isExact, String text) {}

  /** Returns whether any copy is committed. */
  boolean isReadPast() {
    return copies.stream().anyMatch(Copy::isCommitted);
  }

  /** Returns whether a receipt says that it was charged. */
  boolean isRated() {
    return receipts.stream().anyMatch(named -> named.outcome() == Outcome.RATED);
  }

  /** Returns the rows that say that they were made of this very record. */
  List<RowClue> ownRows() {
    return rows.stream().filter(RowClue::isOfRecord).toList();
  }
}
