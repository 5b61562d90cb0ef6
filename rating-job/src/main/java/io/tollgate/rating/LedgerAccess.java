package io.tollgate.rating;

import io.tollgate.rating.dedup.EventLookup;
import io.tollgate.rating.write.ChargeWriter;
import java.io.Serializable;
import org.apache.flink.metrics.MetricGroup;

/** Opens the ledger for a subtask. */
public interface LedgerAccess extends Serializable {

  /** Opens a writer, which takes the next writer number. */
  ChargeWriter openWriter(MetricGroup metrics) throws InterruptedException;

  /** Opens a reader for events that keyed state cannot vouch for. */
  EventLookup openLookup(MetricGroup metrics) throws InterruptedException;
}
