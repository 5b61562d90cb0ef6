package io.tollgate.domain.tariff;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A prefix with the history of its prices. */
final class Destination {
  final String prefix;

  /** In order of time, without overlap. */
  private final PriceEpoch[] epochs;

  /** The epoch if there is only one: a large book is a matter of memory reads, and saves one. */
  private final @Nullable PriceEpoch only;

  /** The next shorter prefix of the same table; set once, while the plan is compiled. */
  private @Nullable Destination shorter;

  Destination(String prefix, PriceEpoch[] epochs) {
    this.prefix = prefix;
    this.epochs = epochs;
    this.only = epochs.length == 1 ? epochs[0] : null;
  }

  /** Returns the same prices as those of another book, without a shorter prefix yet. */
  Destination copy() {
    return new Destination(prefix, epochs);
  }

  /** Returns whether it was made of just these rows. */
  boolean isMadeOf(List<RateRow> rows) {
    if (rows.size() == 1) {
      return only != null && only.isMadeOf(rows.get(0)); // most prefixes of a large price list
    }
    Set<RateRow> found = new HashSet<>();
    for (PriceEpoch epoch : epochs) {
      epoch.addRowsTo(found);
    }
    return found.equals(new HashSet<>(rows));
  }

  void setShorter(@Nullable Destination next) {
    shorter = next;
  }

  @Nullable Destination shorter() {
    return shorter;
  }

  @Nullable PriceEpoch epochAt(long millis) {
    PriceEpoch single = only;
    if (single != null) {
      return single.contains(millis) ? single : null;
    }
    for (PriceEpoch epoch : epochs) {
      if (epoch.contains(millis)) {
        return epoch;
      }
    }
    return null;
  }

  /** Returns the epochs in order of time. */
  List<PriceEpoch> epochs() {
    return List.of(epochs);
  }

  /** Returns the first moment after {@code millis} from which on there is a price. */
  long nextBeginMillis(long millis) {
    for (PriceEpoch epoch : epochs) {
      if (epoch.fromMillis > millis) {
        return epoch.fromMillis;
      }
    }
    return Long.MAX_VALUE;
  }
}
