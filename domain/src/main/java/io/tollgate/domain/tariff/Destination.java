package io.tollgate.domain.tariff;

import java.util.List;
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
