package io.tollgate.ingest.batch;

import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** What one source announced and closed before, as {@code cdr.control} tells. */
public final class KnownBatches {
  private final Map<String, BatchAnnounced> announcedById = new LinkedHashMap<>();
  private final Map<String, ControlTotal> totalById = new HashMap<>();
  private final Map<Long, NavigableMap<Long, List<String>>> idsByRange = new HashMap<>();

  /** Adds a message of the source. Repeats change nothing. */
  public void add(ControlMessage message) {
    if (message instanceof ControlTotal total) {
      totalById.putIfAbsent(total.batch(), total);
      return;
    }
    BatchAnnounced announced = (BatchAnnounced) message;
    if (announcedById.putIfAbsent(announced.batch(), announced) == null) {
      idsByRange
          .computeIfAbsent(announced.fromByte(), from -> new TreeMap<>())
          .computeIfAbsent(announced.toByte(), to -> new ArrayList<>(1))
          .add(announced.batch());
    }
  }

  /**
   * Returns the ids of ranges that begin at byte {@code from}, by the byte after their last one, of
   * any file: a file that was renamed is still the same.
   */
  NavigableMap<Long, List<String>> startingAt(long from) {
    return idsByRange.getOrDefault(from, new TreeMap<>());
  }

  /** Returns the control total of a batch, if it was closed. */
  Optional<ControlTotal> total(String batch) {
    return Optional.ofNullable(totalById.get(batch));
  }

  /** Returns the batches of a file that were announced and never closed. */
  Collection<BatchAnnounced> openBatchesOf(String fileName) {
    return announcedById.values().stream()
        .filter(batch -> batch.file().equals(fileName) && !totalById.containsKey(batch.batch()))
        .toList();
  }
}
