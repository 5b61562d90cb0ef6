package io.tollgate.rating.gate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A reader's side of the gate: closed until a lease arrives, and again when it ends. Leases are
 * timed by this process's monotonic clock from when they arrive, so no two clocks are compared.
 *
 * <p>For the task's thread; only {@link #closedMillis()} may be read by others.
 */
public final class ReaderGate {
  private final LongSupplier nanoClock;
  private CompletableFuture<Void> opens = new CompletableFuture<>();
  private boolean open;
  private long endNanos;
  private volatile Closed closed;

  /** Creates a closed gate. */
  public ReaderGate() {
    this(System::nanoTime);
  }

  ReaderGate(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    closed = new Closed(0, nanoClock.getAsLong(), true);
  }

  /** Takes in a lease. */
  public void hear(GateLease lease) {
    long nowNanos = nanoClock.getAsLong();
    long validNanos = TimeUnit.MILLISECONDS.toNanos(lease.validMillis());
    boolean wasOpen = isOpen(nowNanos);
    if (validNanos <= 0) {
      closeAt(nowNanos);
    } else if (wasOpen) {
      // An answer that was overtaken may be older than the lease it meets.
      endNanos = nowNanos + Math.max(endNanos - nowNanos, validNanos);
    } else {
      open = true;
      endNanos = nowNanos + validNanos;
      closed = new Closed(closed.nanosAt(nowNanos), nowNanos, false);
      opens.complete(null);
    }
  }

  /**
   * Returns whether a record may be emitted now. Asked for every record: reading the clock takes
   * about 25 ns, decoding and emitting a record more than a microsecond.
   */
  public boolean isOpen() {
    return isOpen(nanoClock.getAsLong());
  }

  /** Returns a future that completes when the next lease arrives. */
  public CompletableFuture<Void> whenOpen() {
    return opens;
  }

  /** Returns for how many milliseconds in all it has been closed. */
  public long closedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(closed.nanosAt(nanoClock.getAsLong()));
  }

  private boolean isOpen(long nowNanos) {
    if (open && nowNanos - endNanos >= 0) {
      closeAt(endNanos);
    }
    return open;
  }

  private void closeAt(long nanos) {
    if (open) {
      open = false;
      opens = new CompletableFuture<>();
      closed = new Closed(closed.nanosAt(nanos), nanos, true);
    }
  }

  /** For how long it was closed up to the last change, and what it is since. */
  private record Closed(long beforeNanos, long sinceNanos, boolean isClosed) {
    long nanosAt(long nowNanos) {
      return isClosed ? beforeNanos + (nowNanos - sinceNanos) : beforeNanos;
    }
  }
}
