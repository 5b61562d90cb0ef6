package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.Acknowledgement;
import io.tollgate.ledger.gate.Halt;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.Heartbeat;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Halts in the ledger's keyspace. A difference raises one halt, whose id is its own: raising it
 * again, after a crash or from another host, is the same halt, and what was answered to it is found
 * by the same id.
 */
public final class LedgerHaltDesk implements HaltDesk {
  private static final String RAISED_BY = "tollgate-reconcile";

  private final Runnable onClose;
  private final HaltLog log;
  private final Heartbeat heartbeat;
  private long sequence = -1;

  /**
   * Creates the desk.
   *
   * @param onClose gives the session back
   */
  public LedgerHaltDesk(LedgerSession session, Runnable onClose) {
    this.onClose = onClose;
    this.log = new HaltLog(session);
    this.heartbeat = new Heartbeat(session, Heartbeat.RECONCILE);
  }

  @Override
  public void raise(Difference difference, String example) {
    String text = difference.text();
    String description = example.isEmpty() ? text : text + " (for example " + example + ")";
    uninterrupted(
        () ->
            log.raise(
                new Halt(
                    difference.id(),
                    brief(text, 500),
                    RAISED_BY,
                    Instant.now(),
                    List.of(
                        new io.tollgate.ledger.gate.Difference(
                            difference.id(),
                            difference.kind().name(),
                            brief(
                                description,
                                io.tollgate.ledger.gate.Difference.DESCRIPTION_CHARS_MAX),
                            difference.place())))));
  }

  private static String brief(String text, int characters) {
    return text.length() <= characters ? text : text.substring(0, characters - 3) + "...";
  }

  @Override
  public Optional<Recorded> find(Difference difference) {
    return uninterrupted(() -> log.find(difference.id()))
        .map(
            halt ->
                new Recorded(
                    halt.isOpen(),
                    halt.acknowledgementOf(difference.id()).map(Acknowledgement::resolution)));
  }

  @Override
  public List<String> writtenOff(String idPrefix) {
    List<String> items = new ArrayList<>();
    for (RecordedHalt halt : uninterrupted(() -> log.findByPrefix(idPrefix))) {
      for (io.tollgate.ledger.gate.Difference difference : halt.halt().differences()) {
        if (halt.acknowledgementOf(difference.id())
            .map(Acknowledgement::resolution)
            .filter(resolution -> resolution == Resolution.WRITE_OFF)
            .isPresent()) {
          items.add(Difference.ofPlace(difference.items()).items());
        }
      }
    }
    return items;
  }

  @Override
  public List<RecordedHalt> all() {
    return uninterrupted(log::halts);
  }

  @Override
  public List<RecordedHalt> open() {
    return uninterrupted(log::open);
  }

  @Override
  public Optional<RecordedHalt> halt(String id) {
    return uninterrupted(() -> log.find(id));
  }

  @Override
  public boolean isHalted() {
    return !uninterrupted(log::openIds).isEmpty();
  }

  @Override
  public void beat() {
    if (sequence < 0) {
      sequence = uninterrupted(heartbeat::read).orElse(0);
    }
    sequence++;
    long next = sequence;
    // False says that this number or a larger one is there: another job beats too, or an earlier
    // attempt was carried out whose answer was lost. The next beat is larger in any case.
    if (!uninterrupted(() -> heartbeat.beat(next))) {
      sequence = Math.max(sequence, uninterrupted(heartbeat::read).orElse(0));
    }
  }

  @Override
  public void close() {
    onClose.run();
  }

  private interface Interruptible<T> {
    T run() throws InterruptedException;
  }

  private static <T> T uninterrupted(Interruptible<T> request) {
    try {
      return request.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the ledger", e);
    }
  }
}
