package io.tollgate.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgate.domain.cdr.UsageType;
import io.tollgate.ingest.format.Format;
import io.tollgate.ingest.format.SourceOptions;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileIngestTest {
  private static final IngestOptions SMALL = new IngestOptions(1024, false, false);
  private static final IngestOptions SMALL_COMPLETE = new IngestOptions(1024, true, false);

  @TempDir private Path folder;
  private final RecordingOutbox outbox = new RecordingOutbox();

  @Test
  void shouldAnnounceEachBatchBeforeItsRecordsAndCloseItWithItsTotal() throws IOException {
    FileReport report = ingest(SMALL, file("a.jsonl", rows(0, 100)));

    assertThat(report.records()).isEqualTo(100);
    assertThat(report.batchesNew()).isGreaterThan(5);
    assertThat(outbox.announcements()).hasSameSizeAs(outbox.totals());
    assertThat(outbox.totals().stream().mapToLong(ControlTotal::records).sum()).isEqualTo(100);
    assertThat(outbox.totals().stream().mapToLong(t -> t.usage().get(UsageType.VOICE)).sum())
        .isEqualTo(100_000);
    long at = 0;
    for (BatchAnnounced batch : outbox.announcements()) {
      assertThat(batch.fromByte()).isEqualTo(at);
      at = batch.toByte();
    }
    assertThat(at).isEqualTo(report.bytes());
  }

  @Test
  void shouldSendNothingWhenAFileIsIngestedAgainWhateverTheBatchSize() throws IOException {
    Path file = file("a.jsonl", rows(0, 100));
    ingest(SMALL, file);
    int before = outbox.records.size();

    FileReport report = ingest(IngestOptions.DEFAULT, file);

    assertThat(outbox.records).hasSize(before);
    assertThat(report.batchesSkipped()).isEqualTo(outbox.totals().size());
    assertThat(report.skippedRecords()).isEqualTo(100);
  }

  @Test
  void shouldRecognizeAFileThatWasRenamed() throws IOException {
    Path file = file("Master.csv", rows(0, 50));
    ingest(SMALL, file);

    FileReport report = ingest(SMALL, Files.move(file, folder.resolve("Master.csv.1")));

    assertThat(report.records()).isZero();
    assertThat(report.skippedRecords()).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 33, 99})
  void shouldSendTheSameBatchAgainAfterBeingKilled(int killedAfter) throws IOException {
    Path file = file("a.jsonl", rows(0, 100));
    RecordingOutbox undisturbed = new RecordingOutbox();
    ingest(undisturbed, "tollgate-json", SMALL, file);
    outbox.killAfter(killedAfter);
    assertThatThrownBy(() -> ingest(SMALL, file)).isInstanceOf(OutboxException.class);

    outbox.killAfter(Long.MAX_VALUE - 1000);
    ingest(SMALL, file);

    assertThat(outbox.sent.stream().distinct()).containsExactlyElementsOf(undisturbed.sent);
    assertThat(outbox.totals())
        .extracting(ControlTotal::batch)
        .containsExactlyElementsOf(undisturbed.totals().stream().map(ControlTotal::batch).toList());
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldMakeNewBatchesOnlyOfWhatAFileHasGrownBy(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] whole = rows(0, 200).getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve("Master.csv");
    int size = 0;
    while (size < whole.length) {
      size = Math.min(whole.length, size + 1 + random.nextInt(4000));
      Files.write(file, java.util.Arrays.copyOf(whole, size));
      FileReport report = ingest(SMALL, file);
      assertThat(report.pendingBytes()).isLessThan(200);
    }

    assertThat(outbox.records).hasSize(200);
    assertThat(outbox.sent.stream().map(sent -> sent.replaceAll("^\\S+ ", "")))
        .doesNotHaveDuplicates();
    assertThat(outbox.announcements()).extracting(BatchAnnounced::batch).doesNotHaveDuplicates();
  }

  @Test
  void shouldTakeAFileWhoseBeginningChangedForAnother() throws IOException {
    ingest(SMALL, file("Master.csv", rows(0, 50)));
    FileReport report = ingest(SMALL, file("Master.csv", rows(50, 120)));

    assertThat(report.records()).isEqualTo(70);
    assertThat(report.batchesSkipped()).isZero();
  }

  @Test
  void shouldTellARepeatedStretchOfAFileFromTheFirst() throws IOException {
    String stretch = rows(0, 12);
    FileReport report = ingest(SMALL, file("a.jsonl", stretch + stretch + stretch));

    assertThat(report.records()).isEqualTo(36);
    assertThat(outbox.announcements()).extracting(BatchAnnounced::batch).doesNotHaveDuplicates();
  }

  @Test
  void shouldSendClosedBatchesAgainOnlyOnDemandUnderTheSameIds() throws IOException {
    Path file = file("a.jsonl", rows(0, 30));
    ingest(SMALL, file);
    List<String> first = List.copyOf(outbox.sent);

    FileReport report = ingest(new IngestOptions(1024, false, true), file);

    assertThat(report.records()).isEqualTo(30);
    assertThat(outbox.sent.subList(30, 60)).isEqualTo(first);
  }

  @Test
  void shouldWarnOfABatchThatWasAnnouncedAndVanished() throws IOException {
    outbox.killAfter(3);
    Path file = file("a.jsonl", rows(0, 50));
    assertThatThrownBy(() -> ingest(SMALL, file)).isInstanceOf(OutboxException.class);
    outbox.killAfter(Long.MAX_VALUE - 1000);

    FileReport report = ingest(SMALL, file("a.jsonl", rows(60, 65)));

    assertThat(report.warnings()).singleElement().asString().contains("never closed");
    assertThat(report.needsAttention()).isTrue();
  }

  @Test
  void shouldLeaveAnUnterminatedLastLineForNextTimeUnlessTheFileIsComplete() throws IOException {
    Path file = file("a.jsonl", rows(0, 3).strip());

    FileReport growing = ingest(SMALL, file);
    FileReport complete = ingest(SMALL_COMPLETE, file);

    assertThat(growing.records()).isEqualTo(2);
    assertThat(growing.pendingBytes()).isPositive();
    assertThat(growing.pendingReason()).contains("--complete");
    assertThat(growing.needsAttention()).isFalse();
    assertThat(complete.records()).isEqualTo(1);
    assertThat(complete.pendingBytes()).isZero();
  }

  @Test
  void shouldSendBadLinesWithTheirBytesPlaceAndReason() throws IOException {
    FileReport report =
        ingest(SMALL, file("a.jsonl", rows(0, 1) + "\n{\"eventId\": 1}\n" + rows(1, 2)));

    assertThat(report.rejected()).isEqualTo(1);
    assertThat(report.examples()).singleElement().asString().startsWith("a.jsonl:3: JSON: ");
    assertThat(report.nonRecords().get("blank")).isEqualTo(new FileReport.NonRecords(1, 1));
    OutgoingRecord bad = outbox.records.get(1);
    assertThat(bad.place()).isEqualTo("a.jsonl:3");
    assertThat(new String(((OutgoingRecord.Bad) bad.body()).bytes(), StandardCharsets.UTF_8))
        .isEqualTo("{\"eventId\": 1}");
    assertThat(outbox.totals().get(0).unreadable()).isEqualTo(1);
    assertThat(report.needsAttention()).isTrue();
  }

  @Test
  void shouldMarkRowsThatCannotBeToldApartAlsoAcrossBatchesAndRuns() throws IOException {
    String columns = "accountcode,src,dst,start,answer,end,duration,billsec,disposition";
    SourceProfile profile =
        new SourceOptions("pbx", "asterisk", null, "UTC", null, null, null, "content", columns)
            .toProfile();
    String row =
        "acme,1,2,2026-10-05 10:00:00,2026-10-05 10:00:00,2026-10-05 10:01:00,60,60,ANSWERED\n";
    String filler = row.replace(":00,60,60", ":30,90,90");
    Path file = file("m.csv", row + row.replace("acme", "globex"));
    run(outbox, profile, SMALL, file);
    Files.writeString(file, row + row.replace("acme", "globex") + filler.repeat(20) + row);

    FileReport report = run(outbox, profile, SMALL, file);

    assertThat(report.records()).isEqualTo(21);
    assertThat(report.indistinguishable()).isEqualTo(20);
    assertThat(outbox.sent.get(outbox.sent.size() - 1)).endsWith("indistinguishable");
  }

  @Test
  void shouldRefuseFilesThatCannotBeReadAndSayWhy() throws IOException {
    assertThat(ingest(SMALL, folder.resolve("none.csv")).refused()).startsWith("not found");
    assertThat(ingest(SMALL, folder).refused()).startsWith("a directory");
    assertThat(ingest(SMALL, file("empty", "")).refused()).startsWith("0 bytes");
    assertThat(ingest(SMALL, file("x.jpg", "ab\u0000cd")).refused()).startsWith("binary");
    Path zipped = folder.resolve("x.gz");
    Files.write(zipped, new byte[] {0x1F, (byte) 0x8B, 8, 0});
    assertThat(ingest(SMALL, zipped).refused()).contains("gunzip");
    assertThat(ingest(SMALL, file("text", "hello\nworld\n")).refused())
        .startsWith("not written in format tollgate-json: line 1: ");
    assertThat(outbox.control).isEmpty();
  }

  @Test
  void shouldNotCloseABatchWhoseBytesChangeWhileTheyAreRead() throws IOException {
    Path file = file("a.jsonl", rows(0, 10));
    String changed = rows(0, 10).replace("\"usage\":1000", "\"usage\":9000");
    Outbox editing =
        new Outbox() {
          @Override
          public void announce(BatchAnnounced batch) {
            outbox.announce(batch);
            try {
              Files.writeString(file, changed);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public void send(OutgoingRecord outgoing) {
            outbox.send(outgoing);
          }

          @Override
          public java.util.Map<Integer, Long> awaitAcknowledged() {
            return outbox.awaitAcknowledged();
          }

          @Override
          public void close(ControlTotal total) {
            outbox.close(total);
          }

          @Override
          public void close() {}
        };

    FileReport report =
        new FileIngest(profile("tollgate-json"), SMALL, new KnownBatches(), editing, Progress.NONE)
            .ingest(file);

    assertThat(report.refused()).contains("changed while they were read");
    assertThat(outbox.totals()).isEmpty();
  }

  /** Random scraps of every format, in random steps of growth: no byte lost, no record twice. */
  @ParameterizedTest
  @EnumSource(Format.class)
  void shouldAccountForEveryByteOfRandomFiles(Format format) throws IOException {
    for (long seed = 0; seed < 40; seed++) {
      RecordingOutbox growing = new RecordingOutbox();
      Random random = new Random(seed);
      byte[] whole = randomFile(format, random).getBytes(StandardCharsets.UTF_8);
      Path file = folder.resolve("f" + seed);
      int size = Math.min(whole.length, 700);
      while (true) {
        Files.write(file, java.util.Arrays.copyOf(whole, size));
        IngestOptions options = size == whole.length ? SMALL_COMPLETE : SMALL;
        FileReport report = ingest(growing, format.id(), options, file);
        assertThat(report.refused()).isEmpty();
        assertThat(
                report.recordBytes()
                    + report.nonRecordBytes()
                    + report.skippedBytes()
                    + report.pendingBytes())
            .isEqualTo(size);
        if (size == whole.length) {
          assertThat(report.pendingBytes()).isZero();
          break;
        }
        size = Math.min(whole.length, size + 1 + random.nextInt(2000));
      }
      RecordingOutbox atOnce = new RecordingOutbox();
      ingest(atOnce, format.id(), SMALL_COMPLETE, file);
      assertThat(bodies(growing)).as("seed %s", seed).isEqualTo(bodies(atOnce));
    }
  }

  private static List<String> bodies(RecordingOutbox outbox) {
    return outbox.sent.stream().map(sent -> sent.replaceFirst("^\\S+ ", "")).toList();
  }

  private static String randomFile(Format format, Random random) {
    StringBuilder text = new StringBuilder();
    if (format == Format.CUCM) {
      text.append(
          "cdrRecordType,globalCallID_callManagerId,globalCallID_callId,origLegCallIdentifier,"
              + "destLegIdentifier,dateTimeOrigination,dateTimeConnect,dateTimeDisconnect,duration,"
              + "callingPartyNumber,originalCalledPartyNumber,finalCalledPartyNumber,"
              + "origCause_value,destCause_value,pkid\nINTEGER,INTEGER,INTEGER,INTEGER,INTEGER,"
              + "INTEGER,INTEGER,INTEGER,INTEGER,VARCHAR(50),VARCHAR(50),VARCHAR(50),INTEGER,"
              + "INTEGER,UNIQUEIDENTIFIER\n");
    }
    List<String> scraps = new ArrayList<>(List.of("\n", "  \r\n", "noise\n", "\"cut\n", "{\n"));
    text.append(record(format, 0));
    for (int i = 1; i < 60; i++) {
      text.append(
          random.nextInt(5) == 0 ? scraps.get(random.nextInt(scraps.size())) : record(format, i));
    }
    return text.toString();
  }

  private static String record(Format format, int i) {
    return switch (format) {
      case ASTERISK ->
          "acme,1,2,c,\"\"\"A\"\"\n<1>\",ch,d,Dial,x,2026-10-05 10:00:00,,2026-10-05 10:00:01,1,0,"
              + "NO ANSWER,3,1791187200."
              + i
              + "\n";
      case FREESWITCH_CSV ->
          String.format(
              "A,1,2,c,2026-10-05 10:%02d:00,,2026-10-05 10:%02d:01,1,0,NO_ANSWER,u%d,b,acme,x,y%n",
              i, i, i);
      case FREESWITCH_JSON ->
          "{\"variables\": {\"uuid\": \"u"
              + i
              + "\", \"accountcode\": \"acme\",\n \"start_epoch\": 1791187200, \"answer_epoch\": 0,"
              + " \"end_epoch\": 1791187201, \"duration\": 1, \"billsec\": 0,"
              + " \"hangup_cause\": \"NO_ANSWER\"}}"
              + (i % 3 == 0 ? "" : "\n");
      case CUCM -> "1,2,3,4,5,1791187200,0,1791187201,0,100,200,200,0,16,p" + i + "\n";
      case TOLLGATE_JSON -> row(i);
    };
  }

  private FileReport ingest(IngestOptions options, Path file) {
    return ingest(outbox, "tollgate-json", options, file);
  }

  private static FileReport ingest(
      RecordingOutbox outbox, String format, IngestOptions options, Path file) {
    return run(outbox, profile(format), options, file);
  }

  private static FileReport run(
      RecordingOutbox outbox, SourceProfile profile, IngestOptions options, Path file) {
    return new FileIngest(profile, options, outbox.known(), outbox, Progress.NONE).ingest(file);
  }

  private static SourceProfile profile(String format) {
    return SourceOptions.of("pbx", format, "UTC").toProfile();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String rows(int from, int to) {
    StringBuilder rows = new StringBuilder();
    for (int i = from; i < to; i++) {
      rows.append(row(i));
    }
    return rows.toString();
  }

  private static String row(int i) {
    return "{\"eventId\":\"pbx/"
        + i
        + "\",\"accountId\":\"acme\",\"usageType\":\"VOICE\",\"called\":\"+447700900123\","
        + "\"start\":\"2026-10-05T10:00:00+02:00\",\"usage\":1000}\n";
  }
}
