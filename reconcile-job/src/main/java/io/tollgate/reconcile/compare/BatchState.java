package io.tollgate.reconcile.compare;

import io.tollgate.reconcile.message.Bytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is remembered of a batch beside the sets and entries, which have state of their own. */
final class BatchState {
  private static final int VERSION = 1;

  private final Suspicions suspicions;
  private String file = "";

  /** The control total, as it came; offsets are united apart. Absent before it came. */
  private byte @Nullable [] total;

  /** Last acknowledged offset by partition, the largest of all totals of the batch. */
  private final Map<Integer, Long> lastOffsets = new TreeMap<>();

  /** What a later total said that contradicts the first one; empty if none did. */
  private String contradiction = "";

  private final long firstHeardMillis;
  private boolean announced;

  /** Whether anything came since the batch was last judged. */
  private boolean changed = true;

  private boolean balanced;

  /** Whether it was waiting for the rating job to go on when it was last judged. */
  private boolean waitsForProgress;

  BatchState(long nowMillis) {
    this(Suspicions.none(-1, -1), nowMillis);
  }

  private BatchState(Suspicions suspicions, long firstHeardMillis) {
    this.suspicions = suspicions;
    this.firstHeardMillis = firstHeardMillis;
  }

  Suspicions suspicions() {
    return suspicions;
  }

  String file() {
    return file;
  }

  void file(String name) {
    file = name;
  }

  byte @Nullable [] total() {
    return total;
  }

  void total(byte[] json) {
    total = json;
  }

  Map<Integer, Long> lastOffsets() {
    return lastOffsets;
  }

  String contradiction() {
    return contradiction;
  }

  void contradiction(String text) {
    contradiction = text;
  }

  long firstHeardMillis() {
    return firstHeardMillis;
  }

  boolean announced() {
    return announced;
  }

  void announce() {
    announced = true;
  }

  boolean changed() {
    return changed;
  }

  void changed(boolean isChanged) {
    changed = isChanged;
  }

  boolean balanced() {
    return balanced;
  }

  void balanced(boolean isBalanced) {
    balanced = isBalanced;
  }

  boolean waitsForProgress() {
    return waitsForProgress;
  }

  void waitsForProgress(boolean waits) {
    waitsForProgress = waits;
  }

  byte[] encode() {
    return Bytes.write(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    out.writeLong(firstHeardMillis);
    byte[] suspected = suspicions.encode();
    out.writeInt(suspected.length);
    out.write(suspected);
    out.writeUTF(file);
    byte[] json = total;
    out.writeInt(json == null ? -1 : json.length);
    if (json != null) {
      out.write(json);
    }
    out.writeInt(lastOffsets.size());
    for (Map.Entry<Integer, Long> each : lastOffsets.entrySet()) {
      out.writeInt(each.getKey());
      out.writeLong(each.getValue());
    }
    out.writeUTF(contradiction);
    out.writeBoolean(announced);
    out.writeBoolean(changed);
    out.writeBoolean(balanced);
    out.writeBoolean(waitsForProgress);
  }

  static BatchState decode(byte[] bytes) {
    return Bytes.read(bytes, VERSION, BatchState::read);
  }

  private static BatchState read(DataInputStream in) throws IOException {
    long firstHeardMillis = in.readLong();
    BatchState state =
        new BatchState(Suspicions.decode(in.readNBytes(in.readInt())), firstHeardMillis);
    state.file = in.readUTF();
    int length = in.readInt();
    state.total = length < 0 ? null : in.readNBytes(length);
    int partitions = in.readInt();
    for (int i = 0; i < partitions; i++) {
      state.lastOffsets.put(in.readInt(), in.readLong());
    }
    state.contradiction = in.readUTF();
    state.announced = in.readBoolean();
    state.changed = in.readBoolean();
    state.balanced = in.readBoolean();
    state.waitsForProgress = in.readBoolean();
    return state;
  }
}
