package io.tollgate.reconcile;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.reconcile.compare.CdrLookup;
import io.tollgate.wire.BatchRecords;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.roaringbitmap.RoaringBitmap;

/** Reads the stretches of {@code cdr} in which a batch lies. */
final class TopicCdrLookup implements CdrLookup {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final long MOST_OFFSETS = 500_000;

  private final BatchRecords records;

  /** Opens lookups in one topic. */
  record FromKafka(Properties client, String topic) implements Factory {
    @Override
    public CdrLookup open() {
      return new TopicCdrLookup(new BatchRecords(client, topic));
    }
  }

  private TopicCdrLookup(BatchRecords records) {
    this.records = records;
  }

  @Override
  public Map<Integer, Cdr> find(
      String source, String batch, RoaringBitmap seqs, Map<Integer, long[]> offsets) {
    Map<Integer, Cdr> found = new HashMap<>();
    records
        .find(source, batch, seqs, offsets, MOST_OFFSETS, LONGEST)
        .forEach((seq, record) -> found.put(seq, record.cdr()));
    return found;
  }

  @Override
  public void close() {
    records.close();
  }
}
