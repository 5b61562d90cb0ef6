package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.reconcile.message.PartitionFact;
import io.tollgate.reconcile.message.Piece;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/** What receipts and the newest reading say of one batch's records in one partition. */
public final class PartitionBatch {
  private static final int VERSION = 2;

  private final String source;
  private final String batch;

  /** Batch-seqs that receipts call RATED. */
  private final RoaringBitmap receipts;

  /** Of these, the ones whose charge is the row of another record: repeats, after all. */
  private final RoaringBitmap repeats;

  private final Map<UsageType, Long> repeatedUsage;

  /** Of these, the ones whose row is absent, and a person has accepted that. */
  private final RoaringBitmap writtenOff;

  /** What they span in the topic, by partition: first and last offset. */
  private final Map<Integer, long[]> offsets;

  /** Batch-seqs with a row, as the newest reading and later look-ups by key found them. */
  private RoaringBitmap rows;

  private Map<UsageType, Long> usageOfRows;

  private long rowsWithoutUsage;

  /** What the rows were when they were found right. */
  private RowChecks checks = RowChecks.none();

  private PartitionBatch(
      String source,
      String batch,
      RoaringBitmap receipts,
      RoaringBitmap repeats,
      Map<UsageType, Long> repeatedUsage,
      RoaringBitmap writtenOff,
      Map<Integer, long[]> offsets,
      RoaringBitmap rows,
      Map<UsageType, Long> usageOfRows) {
    this.source = source;
    this.batch = batch;
    this.receipts = receipts;
    this.repeats = repeats;
    this.repeatedUsage = repeatedUsage;
    this.writtenOff = writtenOff;
    this.offsets = offsets;
    this.rows = rows;
    this.usageOfRows = usageOfRows;
  }

  /** Returns a batch of which nothing is known yet. */
  public static PartitionBatch unknown(String source, String batch) {
    return new PartitionBatch(
        source,
        batch,
        new RoaringBitmap(),
        new RoaringBitmap(),
        new EnumMap<>(UsageType.class),
        new RoaringBitmap(),
        new TreeMap<>(),
        new RoaringBitmap(),
        new EnumMap<>(UsageType.class));
  }

  /**
   * Unites what a receipt says with what is known.
   *
   * @return whether anything was new
   */
  public boolean unite(PartitionFact fact) {
    long before = receipts.getLongCardinality();
    receipts.or(Bytes.set(fact.seqs()));
    for (int i = 0; i < fact.partitions().length; i++) {
      long[] span =
          offsets.computeIfAbsent(
              fact.partitions()[i], key -> new long[] {Long.MAX_VALUE, Long.MIN_VALUE});
      span[0] = Math.min(span[0], fact.firstOffsets()[i]);
      span[1] = Math.max(span[1], fact.lastOffsets()[i]);
    }
    return receipts.getLongCardinality() > before;
  }

  /** Replaces what earlier readings found. */
  void found(RoaringBitmap rowsFound, Map<UsageType, Long> usage, long withoutUsage) {
    rows = rowsFound;
    usageOfRows = usage;
    rowsWithoutUsage = withoutUsage;
  }

  /** Adds the usage of a row whose receipt came after it was read. */
  void named(UsageType type, long usage) {
    usageOfRows.merge(type, usage, Long::sum);
  }

  /**
   * Adds a row that was looked up by its key.
   *
   * @return whether it was not known before
   */
  boolean foundByKey(int seq, UsageType type, long usage, short check) {
    if (!rows.checkedAdd(seq)) {
      return false;
    }
    usageOfRows.merge(type, usage, Long::sum);
    checks = checks.plus(seq, check);
    return true;
  }

  /**
   * Takes what the newest reading found the rows to be. What was known before stays of those that
   * are gone, and nobody has accepted that, and of {@code changed}.
   *
   * @param now checks of the rows that count by themselves
   * @param revised rows whose revision counts
   * @param changed rows that are not what they were, and nobody has accepted that
   */
  void takeChecks(RowChecks now, RoaringBitmap revised, RoaringBitmap changed) {
    RoaringBitmap kept = RoaringBitmap.andNot(checks.seqs(), now.seqs());
    kept.andNot(revised);
    kept.andNot(writtenOff);
    kept.or(changed);
    checks = now.with(checks, kept);
  }

  /** Returns what the rows were when they were found right. */
  RowChecks checks() {
    return checks;
  }

  /** Notes that a record's charge is the row of another record. */
  void repeated(int seq, UsageType type, long usage) {
    if (repeats.checkedAdd(seq)) {
      repeatedUsage.merge(type, usage, Long::sum);
    }
  }

  /** Notes that a person has accepted that these have no row. */
  void writeOff(RoaringBitmap accepted) {
    writtenOff.or(accepted);
  }

  /** Returns the records that receipts call RATED and that nothing explains. */
  RoaringBitmap missing() {
    RoaringBitmap missing = RoaringBitmap.andNot(receipts, rows);
    missing.andNot(repeats);
    missing.andNot(writtenOff);
    return missing;
  }

  /** Returns what the batch is told about its records here. */
  Piece piece(long usageHour, int bucket) {
    RoaringBitmap onlyRepeats = RoaringBitmap.andNot(repeats, rows);
    RoaringBitmap withoutRow = RoaringBitmap.andNot(writtenOff, rows);
    RoaringBitmap explained =
        RoaringBitmap.and(receipts, RoaringBitmap.or(rows, repeats, withoutRow));
    Map<UsageType, Long> usage = new EnumMap<>(UsageType.class);
    usage.putAll(usageOfRows);
    if (!onlyRepeats.isEmpty()) {
      repeatedUsage.forEach((type, sum) -> usage.merge(type, sum, Long::sum));
    }
    return new Piece(
        usageHour,
        bucket,
        explained.getLongCardinality(),
        onlyRepeats.getLongCardinality(),
        withoutRow.getLongCardinality() + rowsWithoutUsage,
        usage);
  }

  String source() {
    return source;
  }

  String batch() {
    return batch;
  }

  RoaringBitmap receipts() {
    return receipts;
  }

  Map<Integer, long[]> offsets() {
    return offsets;
  }

  /** Returns the key of the batch. */
  String key() {
    return source + "\n" + batch;
  }

  /** Returns everything as bytes. */
  public byte[] encode() {
    return Bytes.write(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    out.writeUTF(source);
    out.writeUTF(batch);
    Bytes.write(out, receipts);
    Bytes.write(out, repeats);
    Bytes.write(out, repeatedUsage);
    Bytes.write(out, writtenOff);
    out.writeInt(offsets.size());
    for (Map.Entry<Integer, long[]> each : offsets.entrySet()) {
      out.writeInt(each.getKey());
      out.writeLong(each.getValue()[0]);
      out.writeLong(each.getValue()[1]);
    }
    Bytes.write(out, rows);
    Bytes.write(out, usageOfRows);
    out.writeLong(rowsWithoutUsage);
    checks.write(out, rows);
  }

  /** Reads what is known of a batch. */
  public static PartitionBatch decode(byte[] bytes) {
    return Bytes.read(bytes, VERSION, PartitionBatch::read);
  }

  private static PartitionBatch read(DataInputStream in) throws IOException {
    String source = in.readUTF();
    String batch = in.readUTF();
    RoaringBitmap receipts = Bytes.readSet(in);
    RoaringBitmap repeats = Bytes.readSet(in);
    Map<UsageType, Long> repeatedUsage = Bytes.readUsage(in);
    RoaringBitmap writtenOff = Bytes.readSet(in);
    Map<Integer, long[]> offsets = new TreeMap<>();
    int partitions = in.readInt();
    for (int i = 0; i < partitions; i++) {
      offsets.put(in.readInt(), new long[] {in.readLong(), in.readLong()});
    }
    PartitionBatch read =
        new PartitionBatch(
            source,
            batch,
            receipts,
            repeats,
            repeatedUsage,
            writtenOff,
            offsets,
            Bytes.readSet(in),
            Bytes.readUsage(in));
    read.rowsWithoutUsage = in.readLong();
    read.checks = RowChecks.read(in, read.rows);
    return read;
  }
}
