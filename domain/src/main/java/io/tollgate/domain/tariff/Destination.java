package io.tollgate.domain.tariff;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A prefix with the history of its prices. */
final class Destination {
  final String prefix;

  /** In order of time, without overlap. */
  private final PriceEpoch[] epochs;

  /** The next shorter prefix of the same table; set once, while the plan is compiled. */
  private @Nullable Destination shorter;

  Destination(String prefix, PriceEpoch[] epochs) {
    this.prefix = prefix;
    this.epochs = epochs;
  }

  void setShorter(@Nullable Destination next) {
    shorter = next;
  }

  @Nullable Destination shorter() {
    return shorter;
  }

  @Nullable PriceEpoch epochAt(long millis) {
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
