package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.ledger.Charge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever happens to the server and to the way there: all is in the ledger, once. */
@ExtendWith(CassandraExtension.class)
class LedgerFaultsITCase {
  private static final String KEYSPACE = "faults";
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(2);

  private final List<Charge> charges = new ChargeGenerator(21).take(3000);
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger retried = new AtomicInteger();
  private FaultyNetwork network;
  private LedgerSession direct;
  private LedgerSession session;

  @BeforeEach
  void open() {
    direct = CassandraExtension.newLedger(KEYSPACE);
    direct.cql().execute("TRUNCATE " + KEYSPACE + ".charges");
    network = new FaultyNetwork(CassandraExtension.port());
    session = LedgerSession.open(CassandraExtension.connection(KEYSPACE, network.port(), SHORT));
  }

  @AfterEach
  void close() throws Exception {
    session.close();
    direct.close();
    network.close();
  }

  @Test
  void connectionsCutWhileWriting() throws Exception {
    CompletableFuture<Void> writing = startWriting();

    network.cut();
    awaitRetries(3);
    network.mend();

    finish(writing);
  }

  @Test
  void answersLostWhileWriting() throws Exception {
    CompletableFuture<Void> writing = startWriting();

    network.loseAnswers();
    awaitRetries(3);
    network.mend();

    finish(writing);
  }

  @Test
  void serverKilledAndStartedAgainWhileWriting() throws Exception {
    CompletableFuture<Void> writing = startWriting();

    CassandraExtension.server().kill();
    awaitRetries(3);
    CassandraExtension.server().start();

    finish(writing);
  }

  @Test
  void serverFrozenBeyondTheTimeoutWhileWriting() throws Exception {
    CompletableFuture<Void> writing = startWriting();

    CassandraExtension.server().freeze();
    awaitRetries(3);
    CassandraExtension.server().thaw();

    finish(writing);
  }

  @Test
  void readIsRepeatedUntilTheWayIsThereAgain() throws InterruptedException {
    LedgerFixture.write(direct, charges.subList(0, 1));
    LedgerReader reader = reader(ReadLimit.NEVER_GIVE_UP);
    Charge charge = charges.get(0);

    network.cut();
    CompletableFuture<List<Charge>> found =
        reader
            .findByIdentity(
                charge.cdr().accountId(), charge.cdr().eventId(), charge.cdr().startMillis())
            .toCompletableFuture();
    awaitRetries(3);
    assertThat(found).isNotDone();
    network.mend();

    Awaitility.await().atMost(LONG).until(found::isDone);
    assertThat(found).isCompletedWithValue(List.of(charge));
  }

  @Test
  void readWithALimitGivesUpAndSaysWhy() {
    LedgerReader reader = reader(ReadLimit.of(Duration.ofMillis(300)));

    network.cut();

    assertThatThrownBy(() -> reader.isEmpty().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(LedgerException.class)
        .hasMessageContaining("The ledger cannot be read");
  }

  /** Writes on a thread of its own and returns when the first half is acknowledged. */
  private CompletableFuture<Void> startWriting() throws InterruptedException {
    LedgerWriter writer =
        LedgerWriter.open(
            session, CassandraExtension.LAYOUT, WriterSettings.of(4, 5), new Counters());
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              try {
                LedgerFixture.addAll(writer, charges.subList(0, 1500));
                writer.flush();
                while (retried.get() == 0) {
                  // Goes on writing, so that the fault meets requests under way.
                  LedgerFixture.addAll(writer, charges.subList(0, 100));
                }
                LedgerFixture.addAll(writer, charges.subList(1500, 3000));
                writer.flush();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Awaitility.await().atMost(LONG).until(() -> acknowledged.get() >= 1500 || writing.isDone());
    return writing;
  }

  private void awaitRetries(int retries) {
    Awaitility.await().atMost(LONG).until(() -> retried.get() >= retries);
  }

  private void finish(CompletableFuture<Void> writing) throws Exception {
    Awaitility.await().atMost(LONG).until(writing::isDone);
    writing.get();
    awaitReadable();
    // A second job rates it all again, and otherwise: nothing may change any more.
    LedgerFixture.write(direct, LedgerFixture.otherAmounts(charges));
    assertThat(LedgerFixture.read(LedgerFixture.reader(direct).all()))
        .containsExactlyInAnyOrderElementsOf(charges);
  }

  private void awaitReadable() {
    LedgerFixture.reader(direct).isEmpty().toCompletableFuture().join();
  }

  private LedgerReader reader(ReadLimit limit) {
    return new LedgerReader(
        session, CassandraExtension.LAYOUT, limit, failure -> retried.incrementAndGet());
  }

  /** Counts across threads, for a test that looks on from another. */
  private final class Counters implements WriterMetrics {
    @Override
    public void acknowledged(int rows, long latencyNanos) {
      acknowledged.addAndGet(rows);
    }

    @Override
    public void retried(RequestFailure failure) {
      retried.incrementAndGet();
    }

    @Override
    public void inFlight(int requests) {}
  }
}
