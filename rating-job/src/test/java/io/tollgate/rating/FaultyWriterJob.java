package io.tollgate.rating;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.rating.dedup.EventLookup;
import io.tollgate.rating.write.ChargeWriter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The rating job with a writer that leaves out one row in 100,000 and says that all were written.
 * Submitted by tests of the whole system, with the classes of this module's tests beside the jar.
 */
public final class FaultyWriterJob {
  private static final int ONE_IN = 100_000;

  /** Low, so that a test need not send a hundred thousand records for the first one. */
  private static final int FIRST = 5_000;

  private FaultyWriterJob() {}

  /** Submits the job. */
  public static void main(String[] args) throws Exception {
    RatingArguments arguments = RatingArguments.parse(args);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    RatingJob.build(env, TollgateConfig.read(arguments.config()), arguments, FaultyLedger::new);
    env.execute(RatingJob.NAME);
  }

  private record FaultyLedger(LedgerAccess ledger) implements LedgerAccess {
    @Override
    public ChargeWriter openWriter(MetricGroup metrics) throws InterruptedException {
      return new FaultyWriter(ledger.openWriter(metrics));
    }

    @Override
    public EventLookup openLookup(MetricGroup metrics) throws InterruptedException {
      return ledger.openLookup(metrics);
    }
  }

  private static final class FaultyWriter implements ChargeWriter {
    private final ChargeWriter writer;
    private long charges;

    FaultyWriter(ChargeWriter writer) {
      this.writer = writer;
    }

    @Override
    public void add(Charge charge) throws InterruptedException {
      charges++;
      if (charges % ONE_IN != FIRST) {
        writer.add(charge);
      }
    }

    @Override
    public void flush() throws InterruptedException {
      writer.flush();
    }

    @Override
    public void close() {
      writer.close();
    }
  }
}
