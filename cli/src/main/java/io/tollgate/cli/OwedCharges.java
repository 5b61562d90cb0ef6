package io.tollgate.cli;

import io.tollgate.domain.ledger.Charge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What is owed, out of all rows of an account: of each event the highest revision, in order of
 * start within an hour. Takes rows by hour and event, as the ledger gives them, and holds one hour
 * at a time; of an hour with very many charges it sorts a part at a time, so that memory stays
 * bounded.
 */
final class OwedCharges implements Iterator<Charge> {
  private static final int SORTED_AT_ONCE = 50_000;

  private final Iterator<Charge> rows;
  private final Deque<Charge> sorted = new ArrayDeque<>();
  private @Nullable Charge ahead;

  OwedCharges(Iterator<Charge> rows) {
    this.rows = rows;
  }

  @Override
  public boolean hasNext() {
    if (sorted.isEmpty()) {
      sorted.addAll(nextHour());
    }
    return !sorted.isEmpty();
  }

  @Override
  public Charge next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return sorted.removeFirst();
  }

  private List<Charge> nextHour() {
    List<Charge> hour = new ArrayList<>();
    Charge last = nextRow();
    while (last != null) {
      Charge following = nextRow();
      if (following == null || !isSameEvent(last, following)) {
        hour.add(last);
      }
      boolean isHourOver = following == null || following.usageHour() != last.usageHour();
      if (isHourOver || hour.size() >= SORTED_AT_ONCE) {
        ahead = following;
        break;
      }
      last = following;
    }
    hour.sort(Comparator.comparingLong(charge -> charge.cdr().startMillis()));
    return hour;
  }

  private @Nullable Charge nextRow() {
    Charge waiting = ahead;
    if (waiting != null) {
      ahead = null;
      return waiting;
    }
    return rows.hasNext() ? rows.next() : null;
  }

  private static boolean isSameEvent(Charge one, Charge other) {
    return one.usageHour() == other.usageHour()
        && one.cdr().eventId().equals(other.cdr().eventId());
  }
}
