package io.tollgate.ingest.batch;

import io.tollgate.wire.ControlMessage;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers what it is given, and can stop to accept records like a process that is killed. */
final class RecordingOutbox implements Outbox {
  final List<ControlMessage> control = new ArrayList<>();
  final List<String> sent = new ArrayList<>();
  final List<OutgoingRecord> records = new ArrayList<>();
  private long acceptedRecords = Long.MAX_VALUE;
  private String batch = "";
  private long recordsOfBatch;

  /** Makes it fail after {@code more} records. */
  void killAfter(long more) {
    acceptedRecords = records.size() + more;
  }

  KnownBatches known() {
    KnownBatches known = new KnownBatches();
    control.forEach(known::add);
    return known;
  }

  List<ControlTotal> totals() {
    return control.stream()
        .filter(ControlTotal.class::isInstance)
        .map(ControlTotal.class::cast)
        .toList();
  }

  List<BatchAnnounced> announcements() {
    return control.stream()
        .filter(BatchAnnounced.class::isInstance)
        .map(BatchAnnounced.class::cast)
        .toList();
  }

  @Override
  public void announce(BatchAnnounced announced) {
    control.add(announced);
    batch = announced.batch();
    recordsOfBatch = 0;
  }

  @Override
  public void send(OutgoingRecord outgoing) {
    if (records.size() >= acceptedRecords) {
      throw new OutboxException("killed");
    }
    if (outgoing.batchSeq() != recordsOfBatch++) {
      throw new AssertionError("batch-seqs must count from 0 without a gap");
    }
    records.add(outgoing);
    sent.add(batch + "#" + outgoing.batchSeq() + " " + described(outgoing.body()));
  }

  @Override
  public Map<Integer, Long> awaitAcknowledged() {
    Map<Integer, Long> offsets = new HashMap<>();
    if (!records.isEmpty()) {
      offsets.put(0, records.size() - 1L);
    }
    return offsets;
  }

  @Override
  public void close(ControlTotal total) {
    control.add(total);
  }

  @Override
  public void close() {}

  private static String described(OutgoingRecord.Body body) {
    if (body instanceof OutgoingRecord.Good good) {
      return good.cdr().eventId() + (good.indistinguishable() ? " indistinguishable" : "");
    }
    return ((OutgoingRecord.Bad) body).reason();
  }
}
