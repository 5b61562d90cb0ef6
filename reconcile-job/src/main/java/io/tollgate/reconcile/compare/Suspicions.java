package io.tollgate.reconcile.compare;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult.Found;
import io.tollgate.domain.reconcile.ReconcileResult.Found.Status;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.wire.SeqText;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * What disagreed at one place when it was looked at last, and what has been told of it.
 *
 * <p>Nothing is told at the first look: reading a moving target gives suspicions, and only what a
 * second look at fresh data finds again is a difference. Each record is told once, in a difference
 * that never changes, so its id is the same for whoever finds it:
 *
 * <table>
 *   <caption>What a look makes of one record</caption>
 *   <tr><th>before</th><th>disagrees now</th><th>agrees now</th></tr>
 *   <tr><td>unsuspected</td><td>nothing yet: suspected</td><td>nothing</td></tr>
 *   <tr><td>suspected</td><td>CONFIRMED, part of a new difference</td><td>nothing</td></tr>
 *   <tr><td>told</td><td>CONFIRMED again, the same difference</td><td>when all records of the
 *       difference agree: GONE</td></tr>
 * </table>
 */
public final class Suspicions {
  /** Longest list of ranges in one difference; larger sets become several differences. */
  static final int MAX_RANGES = 1_000;

  private static final int VERSION = 1;

  /** What kind of disagreement, and in which batch. */
  public record Subject(DifferenceKind kind, String source, String batch) {}

  /**
   * What disagrees about a subject now.
   *
   * @param seqs batch-seqs that disagree; for what is not about records, {@link #WHOLE}
   * @param items what is concerned, for what is not about records; empty otherwise
   * @param expected what one side says
   * @param found what the other side says
   * @param example one of the records, down to key and place; empty if unknown
   */
  public record Disagreement(
      RoaringBitmap seqs, String items, String expected, String found, String example) {
    /** Stands for a batch as a whole. */
    public static final RoaringBitmap WHOLE = RoaringBitmap.bitmapOf(0);

    /** Returns a disagreement about records. */
    public static Disagreement about(
        RoaringBitmap seqs, String expected, String found, String example) {
      return new Disagreement(seqs, "", expected, found, example);
    }

    /** Returns a disagreement about a batch as a whole; {@code items} tells it from others. */
    public static Disagreement aboutAll(String items, String expected, String found) {
      return new Disagreement(WHOLE, items, expected, found, "");
    }
  }

  private final long usageHour;
  private final int bucket;
  private final Map<Subject, RoaringBitmap> suspected;
  private final List<Told> told;

  private record Told(Difference difference, RoaringBitmap seqs) {}

  private Suspicions(
      long usageHour, int bucket, Map<Subject, RoaringBitmap> suspected, List<Told> told) {
    this.usageHour = usageHour;
    this.bucket = bucket;
    this.suspected = suspected;
    this.told = told;
  }

  /** Returns none, about a partition of the ledger; both -1 for what is not about one. */
  public static Suspicions none(long usageHour, int bucket) {
    return new Suspicions(usageHour, bucket, new HashMap<>(), new ArrayList<>());
  }

  /** Returns whether nothing is suspected and nothing told is left. */
  public boolean isEmpty() {
    return suspected.isEmpty() && told.isEmpty();
  }

  /** Returns how many suspicions and differences there are. */
  public int size() {
    return suspected.size() + told.size();
  }

  /** Returns whether anything of a source is suspected or told. */
  public boolean concerns(String source) {
    return suspected.keySet().stream().anyMatch(subject -> subject.source().equals(source))
        || told.stream().anyMatch(each -> each.difference.source().equals(source));
  }

  /** Returns whether something of another kind is suspected or told of a record. */
  boolean isQuestioned(DifferenceKind otherThan, String source, String batch, int seq) {
    return suspected.entrySet().stream()
            .anyMatch(
                each ->
                    each.getKey().kind() != otherThan
                        && each.getKey().source().equals(source)
                        && each.getKey().batch().equals(batch)
                        && each.getValue().contains(seq))
        || told.stream()
            .anyMatch(
                each ->
                    each.difference.kind() != otherThan
                        && each.difference.source().equals(source)
                        && each.difference.batch().equals(batch)
                        && each.seqs.contains(seq));
  }

  /** Returns the batch-seqs of a subject that are suspected from an earlier look. */
  public RoaringBitmap suspected(Subject subject) {
    RoaringBitmap seqs = suspected.get(subject);
    return seqs == null ? new RoaringBitmap() : seqs;
  }

  /**
   * Takes in what a look at fresh data found.
   *
   * @param now everything that disagrees now
   * @return what is to be recorded and told
   */
  public List<Found> look(Map<Subject, Disagreement> now, long nowMillis) {
    List<Found> findings = new ArrayList<>();
    endWhatIsGone(now, nowMillis, findings);
    Map<Subject, RoaringBitmap> suspectedNow = new HashMap<>();
    new TreeMap<>(byText(now))
        .forEach(
            (text, entry) ->
                look(entry.getKey(), entry.getValue(), suspectedNow, findings, nowMillis));
    suspected.clear();
    suspected.putAll(suspectedNow);
    return findings;
  }

  private static Map<String, Map.Entry<Subject, Disagreement>> byText(
      Map<Subject, Disagreement> now) {
    Map<String, Map.Entry<Subject, Disagreement>> byText = new HashMap<>();
    now.entrySet().forEach(entry -> byText.put(entry.getKey().toString(), entry));
    return byText;
  }

  private void look(
      Subject subject,
      Disagreement now,
      Map<Subject, RoaringBitmap> suspectedNow,
      List<Found> findings,
      long nowMillis) {
    RoaringBitmap untold = now.seqs().clone();
    for (Told each : told) {
      if (isAbout(each, subject, now)) {
        untold.andNot(each.seqs);
      }
    }
    RoaringBitmap confirmed = RoaringBitmap.and(untold, suspected(subject));
    for (String items : itemsOf(now, confirmed)) {
      Difference difference = difference(subject, now, items);
      told.add(new Told(difference, now.items().isEmpty() ? SeqText.parse(items) : confirmed));
      findings.add(new Found(difference, Status.CONFIRMED, "", now.example(), nowMillis));
    }
    RoaringBitmap first = RoaringBitmap.andNot(untold, confirmed);
    if (!first.isEmpty()) {
      suspectedNow.put(subject, first);
    }
  }

  private static List<String> itemsOf(Disagreement now, RoaringBitmap seqs) {
    if (seqs.isEmpty()) {
      return List.of();
    }
    return now.items().isEmpty() ? SeqText.parts(seqs, MAX_RANGES) : List.of(now.items());
  }

  private Difference difference(Subject subject, Disagreement now, String items) {
    long count = now.items().isEmpty() ? SeqText.parse(items).getLongCardinality() : 1;
    return new Difference(
        subject.kind(),
        subject.source(),
        subject.batch(),
        usageHour,
        bucket,
        items,
        count,
        now.expected(),
        now.found());
  }

  private void endWhatIsGone(Map<Subject, Disagreement> now, long nowMillis, List<Found> findings) {
    for (Iterator<Told> each = told.iterator(); each.hasNext(); ) {
      Told before = each.next();
      Difference difference = before.difference;
      @Nullable Disagreement still =
          now.get(new Subject(difference.kind(), difference.source(), difference.batch()));
      if (still != null
          && isAbout(before, still)
          && RoaringBitmap.intersects(still.seqs(), before.seqs)) {
        findings.add(new Found(difference, Status.CONFIRMED, "", still.example(), nowMillis));
      } else {
        each.remove();
        findings.add(new Found(difference, Status.GONE, "", "", nowMillis));
      }
    }
  }

  private static boolean isAbout(Told told, Subject subject, Disagreement now) {
    Difference difference = told.difference;
    return difference.kind() == subject.kind()
        && difference.source().equals(subject.source())
        && difference.batch().equals(subject.batch())
        && isAbout(told, now);
  }

  /** What is not about records is told anew when its items change. */
  private static boolean isAbout(Told told, Disagreement now) {
    return now.items().isEmpty() || now.items().equals(told.difference.items());
  }

  /** Returns the suspicions as bytes. */
  public byte[] encode() {
    return Bytes.write(
        out -> {
          out.writeByte(VERSION);
          out.writeLong(usageHour);
          out.writeInt(bucket);
          out.writeInt(suspected.size());
          for (Map.Entry<Subject, RoaringBitmap> each : suspected.entrySet()) {
            write(out, each.getKey());
            Bytes.write(out, each.getValue());
          }
          out.writeInt(told.size());
          for (Told each : told) {
            Difference difference = each.difference;
            write(out, new Subject(difference.kind(), difference.source(), difference.batch()));
            text(out, difference.items());
            out.writeLong(difference.count());
            text(out, difference.expected());
            text(out, difference.found());
            Bytes.write(out, each.seqs);
          }
        });
  }

  /** Reads suspicions. */
  public static Suspicions decode(byte[] bytes) {
    return Bytes.read(bytes, VERSION, Suspicions::read);
  }

  private static Suspicions read(DataInputStream in) throws IOException {
    Suspicions suspicions = none(in.readLong(), in.readInt());
    int subjects = in.readInt();
    for (int i = 0; i < subjects; i++) {
      suspicions.suspected.put(readSubject(in), Bytes.readSet(in));
    }
    int differences = in.readInt();
    for (int i = 0; i < differences; i++) {
      Subject subject = readSubject(in);
      Difference difference =
          new Difference(
              subject.kind(),
              subject.source(),
              subject.batch(),
              suspicions.usageHour,
              suspicions.bucket,
              text(in),
              in.readLong(),
              text(in),
              text(in));
      suspicions.told.add(new Told(difference, Bytes.readSet(in)));
    }
    return suspicions;
  }

  private static void write(DataOutputStream out, Subject subject) throws IOException {
    out.writeUTF(subject.kind().name());
    out.writeUTF(subject.source());
    out.writeUTF(subject.batch());
  }

  private static Subject readSubject(DataInputStream in) throws IOException {
    return new Subject(DifferenceKind.valueOf(in.readUTF()), in.readUTF(), in.readUTF());
  }

  /** Without the limit of 64 KiB that {@code writeUTF} has. */
  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
