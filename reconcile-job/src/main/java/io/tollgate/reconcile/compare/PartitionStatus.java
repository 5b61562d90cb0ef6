package io.tollgate.reconcile.compare;

import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.ledger.ChargeDigest;
import io.tollgate.domain.rating.Rating;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Owed;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.reconcile.message.Bytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is remembered of a partition from one reading to the next. */
public final class PartitionStatus {
  private static final int VERSION = 2;

  private final Suspicions suspicions;
  private final Map<String, Sums> sums;

  /** Whether receipts came that no reading has covered yet. */
  private boolean due;

  private long readAtMillis;

  /** When receipts last came. */
  private long touchedMillis;

  /** Which identities were compared with those of the neighbours: how many, and their sum. */
  private long comparedCount;

  private long comparedSum;

  /** Whether some of its identities may be charged in another hour too. */
  private boolean watching;

  /** What is owed for the rows of one source. */
  static final class Sums {
    long rows;

    /** Of the charges themselves, whatever corrections say. */
    long digest;

    long correction;
    final Map<String, Owed> owed = new TreeMap<>();

    void add(EventIdentity identity, Charge charge, Charge newest) {
      Rating.Priced rating = newest.rating();
      long own = ChargeDigest.of(identity, charge, charge.rating());
      // Whatever changes about the charge itself changes the digest of what is owed as well.
      long owedDigest =
          newest.revision() == 0 ? own : own + ChargeDigest.of(identity, charge, rating);
      rows++;
      owed.merge(rating.currency(), new Owed(1, rating.amount(), owedDigest), Sums::together);
      correction = Math.max(correction, newest.revision());
      digest += own;
    }

    private static Owed together(Owed one, Owed other) {
      return new Owed(
          one.charges() + other.charges(),
          one.amount().add(other.amount()),
          one.digest() + other.digest());
    }
  }

  private PartitionStatus(
      Suspicions suspicions,
      Map<String, Sums> sums,
      boolean due,
      long readAtMillis,
      long touchedMillis) {
    this.suspicions = suspicions;
    this.sums = sums;
    this.due = due;
    this.readAtMillis = readAtMillis;
    this.touchedMillis = touchedMillis;
  }

  /** Returns the status of a partition that was never read. */
  public static PartitionStatus unread(long usageHour, int bucket) {
    return new PartitionStatus(Suspicions.none(usageHour, bucket), new TreeMap<>(), true, 0, 0);
  }

  Suspicions suspicions() {
    return suspicions;
  }

  Map<String, Sums> sums() {
    return sums;
  }

  /** Returns whether it is to be read again. */
  public boolean isDue() {
    return due;
  }

  void due(boolean isDue) {
    due = isDue;
  }

  /** Notes that receipts came. */
  void touch(long nowMillis) {
    touchedMillis = nowMillis;
  }

  long touchedMillis() {
    return touchedMillis;
  }

  /** Returns whether these are the identities that were compared last. */
  boolean isCompared(IdentityPrefixes identities) {
    return comparedCount == identities.size() && comparedSum == identities.sum();
  }

  void compared(IdentityPrefixes identities) {
    comparedCount = identities.size();
    comparedSum = identities.sum();
  }

  /** Notes that one more identity was compared, by its key. */
  void comparedToo(long prefix) {
    comparedCount++;
    comparedSum += prefix;
  }

  boolean isWatching() {
    return watching;
  }

  void watching(boolean isWatching) {
    watching = isWatching;
  }

  /** Returns whether it was ever read. */
  boolean wasRead() {
    return readAtMillis > 0;
  }

  void read(long atMillis) {
    readAtMillis = atMillis;
  }

  /** Returns what is recorded of each source's rows here. */
  List<ReconcileResult> results(long usageHour, int bucket) {
    List<ReconcileResult> results = new ArrayList<>();
    sums.forEach(
        (source, sum) -> {
          boolean differs = suspicions.concerns(source);
          State state = differs ? State.MISMATCH : due ? State.OPEN : State.BALANCED;
          results.add(
              new ReconcileResult.Partition(
                  usageHour,
                  bucket,
                  source,
                  state,
                  sum.rows,
                  Map.copyOf(sum.owed),
                  sum.digest,
                  sum.correction,
                  readAtMillis));
        });
    return results;
  }

  /** Returns the status as bytes. */
  public byte[] encode() {
    return Bytes.write(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    out.writeBoolean(due);
    out.writeLong(readAtMillis);
    out.writeLong(touchedMillis);
    byte[] suspected = suspicions.encode();
    out.writeInt(suspected.length);
    out.write(suspected);
    out.writeInt(sums.size());
    for (Map.Entry<String, Sums> each : sums.entrySet()) {
      out.writeUTF(each.getKey());
      Sums sum = each.getValue();
      out.writeLong(sum.rows);
      out.writeLong(sum.digest);
      out.writeLong(sum.correction);
      out.writeInt(sum.owed.size());
      for (Map.Entry<String, Owed> owed : sum.owed.entrySet()) {
        out.writeUTF(owed.getKey());
        out.writeLong(owed.getValue().charges());
        out.writeLong(owed.getValue().digest());
        byte[] unscaled = owed.getValue().amount().unscaledValue().toByteArray();
        out.writeInt(owed.getValue().amount().scale());
        out.writeInt(unscaled.length);
        out.write(unscaled);
      }
    }
    out.writeLong(comparedCount);
    out.writeLong(comparedSum);
    out.writeBoolean(watching);
  }

  /** Reads a status. */
  public static PartitionStatus decode(byte[] bytes) {
    return Bytes.read(bytes, VERSION, PartitionStatus::read);
  }

  private static PartitionStatus read(DataInputStream in) throws IOException {
    boolean due = in.readBoolean();
    long readAtMillis = in.readLong();
    long touchedMillis = in.readLong();
    Suspicions suspicions = Suspicions.decode(in.readNBytes(in.readInt()));
    Map<String, Sums> sums = new TreeMap<>();
    int sources = in.readInt();
    for (int i = 0; i < sources; i++) {
      Sums sum = new Sums();
      sums.put(in.readUTF(), sum);
      sum.rows = in.readLong();
      sum.digest = in.readLong();
      sum.correction = in.readLong();
      int currencies = in.readInt();
      for (int j = 0; j < currencies; j++) {
        String currency = in.readUTF();
        long charges = in.readLong();
        long digest = in.readLong();
        int scale = in.readInt();
        BigInteger unscaled = new BigInteger(in.readNBytes(in.readInt()));
        sum.owed.put(currency, new Owed(charges, new BigDecimal(unscaled, scale), digest));
      }
    }
    PartitionStatus read = new PartitionStatus(suspicions, sums, due, readAtMillis, touchedMillis);
    read.comparedCount = in.readLong();
    read.comparedSum = in.readLong();
    read.watching = in.readBoolean();
    return read;
  }
}
