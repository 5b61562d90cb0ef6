package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.LedgerLayout;
import io.tollgate.ledger.LedgerReader;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The ledger as reconciliation reads it. */
public interface LedgerView extends AutoCloseable {
  /** Parts that the names of all partitions are asked for in. */
  int PARTS = LedgerReader.SCAN_RANGES;

  /** How many hours a wrong time zone can move a start by, to either side. */
  int ZONE_REACH_HOURS = LedgerReader.ZONE_REACH_HOURS;

  /** Takes the name of a partition. */
  @FunctionalInterface
  interface PartitionName {
    /** Takes it. */
    void take(long usageHour, int bucket);
  }

  /** Tells the names of the partitions in one of {@link #PARTS} parts of the ledger. */
  void partitionsOf(int part, PartitionName each);

  /** Returns where rows lie. */
  LedgerLayout layout();

  /** Returns the rows of a partition, all revisions, by account, event and revision, in pages. */
  Iterator<Charge> partition(long usageHour, int bucket);

  /**
   * Returns the charges of an identity: the one at the hour of {@code startMillis} or, without
   * that, those within the reach of a wrong time zone.
   */
  List<Charge> findByIdentity(String accountId, String eventId, long startMillis);

  /** As {@link #findByIdentity}, without waiting. */
  CompletionStage<List<Charge>> findByIdentityLater(
      String accountId, String eventId, long startMillis);

  /**
   * Returns all rows of an identity, all revisions, at the hour of {@code startMillis} and within
   * the reach of a wrong time zone, without waiting.
   */
  CompletionStage<List<Charge>> findAroundLater(String accountId, String eventId, long startMillis);

  /** Returns the identities in a partition, some of them more than once, in pages of keys only. */
  Iterator<EventIdentity> identities(long usageHour, int bucket);

  @Override
  void close();

  /** Opens views; travels with the graph. */
  @FunctionalInterface
  interface Factory extends Serializable {
    /** Opens a view. */
    LedgerView open();
  }
}
