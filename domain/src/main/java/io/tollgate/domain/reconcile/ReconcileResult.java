package io.tollgate.domain.reconcile;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.outcome.Outcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * A finding of reconciliation, as it is recorded. Each has a key; a newer one of the same key
 * replaces an older one, so recording one twice changes nothing.
 */
public sealed interface ReconcileResult {

  /**
   * One cycle: everything that was due was read and judged.
   *
   * @param cycle when it was due, in seconds since 1970: numbers rise and never repeat
   * @param startedMillis when it began, UTC milliseconds
   * @param finishedMillis when its last comparison was done
   * @param partitionsRead ledger partitions that were read
   * @param rowsRead ledger rows that were read
   * @param batchesJudged batches that were compared
   * @param differences differences that were found, confirmed or not
   */
  record Cycle(
      long cycle,
      long startedMillis,
      long finishedMillis,
      long partitionsRead,
      long rowsRead,
      long batchesJudged,
      long differences)
      implements ReconcileResult {}

  /** How far a batch, or a partition of the ledger, is. */
  enum State {
    /** Something is still to come. */
    OPEN,
    /** Everything is there and agrees. */
    BALANCED,
    /** Something is there that does not agree. */
    MISMATCH
  }

  /**
   * What is known of a batch. Key: source and batch.
   *
   * @param source declared id of the source
   * @param batch id of the batch
   * @param file name of the file, without its folder; empty if unknown
   * @param state how far it is
   * @param waitingFor what is still to come, for people; empty if nothing
   * @param records how many records its control total says; -1 before there is one
   * @param outcomes how many records had each outcome so far
   * @param usage usage that its control total says, by usage type
   * @param hours usage hours in which it has rows, and how many were found there
   * @param atMillis when this was found
   */
  record Batch(
      String source,
      String batch,
      String file,
      State state,
      String waitingFor,
      long records,
      Map<Outcome, Long> outcomes,
      Map<UsageType, Long> usage,
      Map<Long, Long> hours,
      long atMillis)
      implements ReconcileResult {}

  /**
   * What was read of a source's rows in a partition of the ledger. Key: hour, bucket and source.
   *
   * @param usageHour hours since 1970 in UTC
   * @param bucket bucket of the hour
   * @param source declared id of the source
   * @param state whether receipts and rows agree
   * @param rows number of rows (revision 0)
   * @param amounts what is owed for them, by currency; the charges add up to {@code rows}
   * @param digest digest of the charges themselves, revision 0, in no order: keys, fingerprints,
   *     amounts and currencies. No correction changes it
   * @param correction number of the newest correction that is counted in; 0 if none
   * @param atMillis when the partition was read
   */
  record Partition(
      long usageHour,
      int bucket,
      String source,
      State state,
      long rows,
      Map<String, Owed> amounts,
      long digest,
      long correction,
      long atMillis)
      implements ReconcileResult {

    public Partition {
      long charges = amounts.values().stream().mapToLong(Owed::charges).sum();
      if (charges != rows) {
        throw new IllegalArgumentException(
            "charges of all currencies: "
                + charges
                + " (expected: the number of rows, "
                + rows
                + ")");
      }
    }
  }

  /**
   * What is owed in one currency: of each charge its newest revision counts.
   *
   * @param charges number of charges
   * @param amount exact sum of their amounts
   * @param digest digest of their keys, fingerprints and amounts, in no order; 0 of no charges
   */
  record Owed(long charges, BigDecimal amount, long digest) {
    /** Nothing. */
    public static final Owed NOTHING = new Owed(0, BigDecimal.ZERO, 0);

    /** Compares amounts by value: 1.5 and 1.50 are the same money. */
    public boolean isSame(Owed other) {
      return charges == other.charges
          && digest == other.digest
          && amount.compareTo(other.amount) == 0;
    }
  }

  /**
   * A difference. Key: its id.
   *
   * @param difference what disagrees
   * @param status what is being done about it
   * @param haltId the halt that it raised; empty if none
   * @param example one of the records concerned, down to key and place; empty if unknown
   * @param atMillis when it was found last
   */
  record Found(Difference difference, Status status, String haltId, String example, long atMillis)
      implements ReconcileResult {

    /** What is being done about a difference. */
    public enum Status {
      /** Seen twice, and told: either a halt was raised or, by policy, only a warning. */
      CONFIRMED,
      /** Gone when it was looked at again. */
      GONE,
      /** A person has decided what to do, and it is not through yet. */
      RESOLVING,
      /** A person has decided to accept it. */
      WRITTEN_OFF
    }
  }

  /**
   * How a source is doing. Key: its id.
   *
   * @param source declared id of the source
   * @param market market that its charges are settled for
   * @param lastFile the newest file it has announced; empty if none
   * @param lastHeardMillis when it last said anything; 0 if never
   * @param waitingFor what is still to come, for people; empty if nothing
   * @param state how far it is; nothing of a source in MISMATCH is settled
   * @param atMillis when this was found
   */
  record Source(
      String source,
      String market,
      String lastFile,
      long lastHeardMillis,
      String waitingFor,
      State state,
      long atMillis)
      implements ReconcileResult {}

  /**
   * A halt: a copy for people, the truth lies in the ledger's gate. Key: its id.
   *
   * @param haltId id of the halt
   * @param raisedMillis when it was raised
   * @param reason why, for people
   * @param differences ids of the differences that raised it
   */
  record Halt(String haltId, long raisedMillis, String reason, List<String> differences)
      implements ReconcileResult {}

  /**
   * A person's answer to a halt: a copy for people. Key: id of the halt.
   *
   * @param haltId id of the halt
   * @param person who
   * @param reason why, in the person's words
   * @param resolutions what shall be done about each difference, by its id
   * @param atMillis when
   */
  record Acknowledgement(
      String haltId,
      String person,
      String reason,
      Map<String, Resolution> resolutions,
      long atMillis)
      implements ReconcileResult {

    /** What shall be done about a difference. */
    public enum Resolution {
      /** Send the named records again and write what is absent. */
      REPAIR,
      /** Read the topic again. */
      REPLAY,
      /** Price again by the tariff history. */
      RERATE,
      /** Charge nothing for the named records. */
      VOID,
      /** Accept the difference. */
      WRITE_OFF
    }
  }
}
