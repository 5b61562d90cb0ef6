package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(CassandraExtension.class)
class JobLeaseITCase {
  private static final String KEYSPACE = "leases";
  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(4);

  private static LedgerSession session;

  @BeforeAll
  static void open() {
    session = CassandraExtension.newLedger(KEYSPACE);
  }

  @AfterAll
  static void close() {
    session.close();
  }

  @BeforeEach
  void empty() {
    session.cql().execute("TRUNCATE " + KEYSPACE + ".job_leases");
  }

  @Test
  void freeLeaseIsTakenAtOnceAndRenewed() throws InterruptedException {
    JobLease lease = lease("cdr", "first");

    lease.acquire();

    assertThat(lease.renew()).isTrue();
    assertThat(lease.renew()).isTrue();
  }

  @Test
  void secondJobIsRefusedWhileTheFirstRenews() throws Exception {
    JobLease first = lease("cdr", "first");
    first.acquire();
    ScheduledExecutorService renewing = Executors.newSingleThreadScheduledExecutor();
    try {
      ScheduledFuture<?> renewals =
          renewing.scheduleAtFixedRate(first::renew, 1, 1, TimeUnit.SECONDS);

      assertThatThrownBy(() -> lease("cdr", "second").acquire())
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining("Topic cdr, group rating is being rated by another job")
          .hasMessageContaining("job of first")
          .hasMessageContaining("submission first");
      assertThat(renewals.isDone()).isFalse();
    } finally {
      renewing.shutdownNow();
    }
  }

  @Test
  void deadHoldersLeaseIsTakenWhenItEnds() throws InterruptedException {
    JobLease dead = lease("cdr", "dead");
    dead.acquire();

    JobLease next = lease("cdr", "next");
    next.acquire();

    assertThat(next.renew()).isTrue();
    assertThat(dead.renew()).isFalse();
  }

  @Test
  void sameSubmissionTakesItsLeaseAgainAfterARestart() throws InterruptedException {
    lease("cdr", "same").acquire();

    long before = System.nanoTime();
    lease("cdr", "same").acquire();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TIME_TO_LIVE);
  }

  @Test
  void releasedLeaseIsFreeAtOnce() throws InterruptedException {
    JobLease first = lease("cdr", "first");
    first.acquire();
    first.release();
    JobLease second = lease("cdr", "second");

    long before = System.nanoTime();
    second.acquire();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TIME_TO_LIVE);
    first.release();
    assertThat(second.renew()).isTrue();
  }

  @Test
  void topicsAreLeasedApart() throws InterruptedException {
    lease("cdr", "first").acquire();

    lease("cdr-2", "second").acquire();

    assertThat(lease("cdr-2", "second").renew()).isTrue();
  }

  private static JobLease lease(String topic, String owner) {
    return new JobLease(
        session, new JobLease.Key(topic, "rating", owner, "job of " + owner), TIME_TO_LIVE);
  }
}
