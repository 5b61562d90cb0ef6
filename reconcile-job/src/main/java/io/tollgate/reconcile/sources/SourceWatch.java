package io.tollgate.reconcile.sources;

import io.tollgate.domain.reconcile.DifferenceKind;
import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.State;
import io.tollgate.reconcile.compare.SourceRules.Rules;
import io.tollgate.reconcile.compare.Suspicions;
import io.tollgate.reconcile.compare.Suspicions.Disagreement;
import io.tollgate.reconcile.compare.Suspicions.Subject;
import io.tollgate.reconcile.message.Bytes;
import io.tollgate.wire.SeqText;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.roaringbitmap.RoaringBitmap;

/**
 * What is known of one source: when it last said anything, and which numbers its files had.
 *
 * <table>
 *   <caption>What is missing, and when that is a difference</caption>
 *   <tr><th>declared</th><th>seen</th><th>difference</th></tr>
 *   <tr><td>a cadence</td><td>nothing for that long and the deadline on top</td>
 *       <td>SILENT_SOURCE</td></tr>
 *   <tr><td>a sequence</td><td>a number left out between the lowest and the highest of its series,
 *       for longer than the deadline</td><td>MISSING_FILE</td></tr>
 * </table>
 *
 * <p>A series is the file name without the number: names that carry a date begin a series a day.
 */
final class SourceWatch {
  private static final int VERSION = 1;
  private static final int MAX_SERIES = 1_000;

  private final String source;
  private final Suspicions suspicions;
  private final Map<String, Series> seriesByName;
  private String lastFile = "";
  private long lastHeardMillis;
  private final long watchedSinceMillis;

  /** Numbers of the files of one series. */
  private static final class Series {
    private final RoaringBitmap numbers;
    private long incompleteSinceMillis;

    Series(RoaringBitmap numbers, long incompleteSinceMillis) {
      this.numbers = numbers;
      this.incompleteSinceMillis = incompleteSinceMillis;
    }

    RoaringBitmap missing() {
      RoaringBitmap missing = new RoaringBitmap();
      if (!numbers.isEmpty()) {
        missing.add((long) numbers.first(), (long) numbers.last());
        missing.andNot(numbers);
      }
      return missing;
    }
  }

  private SourceWatch(
      String source,
      Suspicions suspicions,
      Map<String, Series> seriesByName,
      long watchedSinceMillis) {
    this.source = source;
    this.suspicions = suspicions;
    this.seriesByName = seriesByName;
    this.watchedSinceMillis = watchedSinceMillis;
  }

  /** Returns the watch of a source that has said nothing yet. */
  static SourceWatch of(String source, long nowMillis) {
    return new SourceWatch(source, Suspicions.none(-1, -1), new TreeMap<>(), nowMillis);
  }

  String source() {
    return source;
  }

  Suspicions suspicions() {
    return suspicions;
  }

  /** Takes in that the source has said something about a file. */
  void heard(String file, long atMillis, long nowMillis, Rules rules) {
    if (atMillis >= lastHeardMillis) {
      lastHeardMillis = atMillis;
      lastFile = file;
    }
    String sequence = rules.sequence();
    if (sequence == null) {
      return;
    }
    Matcher matcher = Pattern.compile(sequence).matcher(file);
    if (!matcher.find() || matcher.groupCount() < 1 || matcher.group(1) == null) {
      return;
    }
    int number = number(matcher.group(1));
    if (number < 0) {
      return;
    }
    String name = file.substring(0, matcher.start(1)) + "#" + file.substring(matcher.end(1));
    if (!seriesByName.containsKey(name) && seriesByName.size() >= MAX_SERIES) {
      forgetACompleteSeries();
    }
    Series series =
        seriesByName.computeIfAbsent(name, key -> new Series(new RoaringBitmap(), nowMillis));
    boolean wasComplete = series.missing().isEmpty();
    series.numbers.add(number);
    if (wasComplete) {
      series.incompleteSinceMillis = nowMillis;
    }
  }

  private static int number(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return -1; // not a number that files are counted with
    }
  }

  private void forgetACompleteSeries() {
    seriesByName.entrySet().stream()
        .filter(each -> each.getValue().missing().isEmpty())
        .map(Map.Entry::getKey)
        .findFirst()
        .ifPresent(seriesByName::remove);
  }

  /** Returns what is missing now. */
  Map<Subject, Disagreement> missing(Rules rules, long nowMillis) {
    Map<Subject, Disagreement> missing = new HashMap<>();
    Duration cadence = rules.cadence();
    long sinceMillis = nowMillis - Math.max(lastHeardMillis, watchedSinceMillis);
    if (cadence != null && sinceMillis > cadence.plus(rules.totalDeadline()).toMillis()) {
      missing.put(
          new Subject(DifferenceKind.SILENT_SOURCE, source, ""),
          Disagreement.aboutAll(
              "silent since " + (lastHeardMillis == 0 ? "ever" : lastFile),
              "a file every " + cadence,
              "none for longer than " + cadence.plus(rules.totalDeadline())));
    }
    if (rules.sequence() == null) {
      return missing;
    }
    seriesByName.forEach(
        (name, series) -> {
          RoaringBitmap numbers = series.missing();
          if (!numbers.isEmpty()
              && nowMillis - series.incompleteSinceMillis > rules.totalDeadline().toMillis()) {
            missing.put(
                new Subject(DifferenceKind.MISSING_FILE, source, name),
                Disagreement.about(
                    numbers,
                    "files " + series.numbers.first() + " to " + series.numbers.last(),
                    "without " + SeqText.parts(numbers, 20).get(0),
                    ""));
          }
        });
    return missing;
  }

  /** Returns what is recorded of the source. */
  ReconcileResult result(Rules rules, long nowMillis) {
    return new ReconcileResult.Source(
        source,
        rules.market().isEmpty() ? source : rules.market(),
        lastFile,
        lastHeardMillis,
        suspicions.isEmpty() ? "" : "what is listed as missing",
        suspicions.isEmpty() ? State.BALANCED : State.MISMATCH,
        nowMillis);
  }

  byte[] encode() {
    return Bytes.write(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeByte(VERSION);
    out.writeUTF(source);
    out.writeLong(watchedSinceMillis);
    byte[] suspected = suspicions.encode();
    out.writeInt(suspected.length);
    out.write(suspected);
    out.writeUTF(lastFile);
    out.writeLong(lastHeardMillis);
    out.writeInt(seriesByName.size());
    for (Map.Entry<String, Series> each : seriesByName.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue().incompleteSinceMillis);
      Bytes.write(out, each.getValue().numbers);
    }
  }

  static SourceWatch decode(byte[] bytes) {
    return Bytes.read(bytes, VERSION, SourceWatch::read);
  }

  private static SourceWatch read(DataInputStream in) throws IOException {
    String source = in.readUTF();
    long watchedSinceMillis = in.readLong();
    Suspicions suspicions = Suspicions.decode(in.readNBytes(in.readInt()));
    SourceWatch watch = new SourceWatch(source, suspicions, new TreeMap<>(), watchedSinceMillis);
    watch.lastFile = in.readUTF();
    watch.lastHeardMillis = in.readLong();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      String name = in.readUTF();
      long incompleteSinceMillis = in.readLong();
      watch.seriesByName.put(name, new Series(Bytes.readSet(in), incompleteSinceMillis));
    }
    return watch;
  }
}
