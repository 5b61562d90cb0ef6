package io.tollgate.reconcile.compare;

import io.tollgate.reconcile.message.Bytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalInt;
import org.roaringbitmap.RoaringBitmap;

/**
 * What the rows of a batch in one partition were when they were found right: 16 bits of each row's
 * digest (key, content, amount), by batch-seq. A row that is changed afterwards is found with a
 * chance of 65,535 in 65,536. A row that a correction has given a revision is not among them: the
 * revision counts, and is compared with the correction history.
 */
final class RowChecks {
  private final RoaringBitmap seqs;

  /** In order of batch-seqs. */
  private final short[] checks;

  private RowChecks(RoaringBitmap seqs, short[] checks) {
    this.seqs = seqs;
    this.checks = checks;
  }

  static RowChecks none() {
    return new RowChecks(new RoaringBitmap(), new short[0]);
  }

  /** Gathers checks in any order; of several of one batch-seq the first counts. */
  static final class Builder {
    private final RoaringBitmap seqs = new RoaringBitmap();
    private long[] entries = new long[16];
    private int count;

    void add(int seq, short check) {
      if (!seqs.checkedAdd(seq)) {
        return;
      }
      if (count == entries.length) {
        entries = Arrays.copyOf(entries, count * 2);
      }
      entries[count++] = ((long) seq << Short.SIZE) | (check & 0xffffL);
    }

    RowChecks build() {
      long[] sorted = Arrays.copyOf(entries, count);
      Arrays.sort(sorted);
      short[] checks = new short[count];
      for (int i = 0; i < count; i++) {
        checks[i] = (short) sorted[i];
      }
      return new RowChecks(seqs, checks);
    }
  }

  /** Returns the check of a row, as its 16 bits; empty if there is none. */
  OptionalInt find(int seq) {
    return seqs.contains(seq)
        ? OptionalInt.of(checks[seqs.rank(seq) - 1] & 0xffff)
        : OptionalInt.empty();
  }

  RoaringBitmap seqs() {
    return seqs;
  }

  /** Returns these checks, and those of {@code older} for {@code kept} of its batch-seqs. */
  RowChecks with(RowChecks older, RoaringBitmap kept) {
    RoaringBitmap taken = RoaringBitmap.and(kept, older.seqs);
    if (taken.isEmpty()) {
      return this;
    }
    Builder both = new Builder();
    older.each(taken, both);
    each(RoaringBitmap.andNot(seqs, taken), both);
    return both.build();
  }

  private void each(RoaringBitmap chosen, Builder into) {
    int index = 0;
    for (int seq : seqs) {
      if (chosen.contains(seq)) {
        into.add(seq, checks[index]);
      }
      index++;
    }
  }

  /** Returns these checks and one more; itself if it has one of that batch-seq. */
  RowChecks plus(int seq, short check) {
    if (seqs.contains(seq)) {
      return this;
    }
    Builder more = new Builder();
    each(seqs, more);
    more.add(seq, check);
    return more.build();
  }

  /** Writes the checks; the set only if it is not {@code usual}, which is kept elsewhere. */
  void write(DataOutputStream out, RoaringBitmap usual) throws IOException {
    boolean isUsual = seqs.equals(usual);
    out.writeBoolean(isUsual);
    if (!isUsual) {
      Bytes.write(out, seqs);
    }
    out.writeInt(checks.length);
    for (short check : checks) {
      out.writeShort(check);
    }
  }

  static RowChecks read(DataInputStream in, RoaringBitmap usual) throws IOException {
    RoaringBitmap seqs = in.readBoolean() ? usual.clone() : Bytes.readSet(in);
    short[] checks = new short[in.readInt()];
    for (int i = 0; i < checks.length; i++) {
      checks[i] = in.readShort();
    }
    return new RowChecks(seqs, checks);
  }
}
