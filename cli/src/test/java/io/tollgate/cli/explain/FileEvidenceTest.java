package io.tollgate.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.cli.explain.BatchClues.FileClue;
import io.tollgate.cli.explain.BatchClues.InFile;
import io.tollgate.cli.explain.RecordClues.Line;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.Outbox;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.format.SourceOptions;
import io.tollgate.ingest.format.SourceProfile;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.SeqText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileEvidenceTest {
  private static final Path SAMPLE = Path.of("../samples/asterisk/Master.csv");
  private static final SourceProfile PROFILE =
      new SourceOptions("pbx", "asterisk", null, "UTC", null, null, null, "content", null)
          .toProfile();
  private static final int BATCH_BYTES = 1_024;

  @TempDir private Path folder;

  private final Sent sent = new Sent();
  private final FileEvidence evidence = new FileEvidence(PROFILE, Progress.NONE);
  private Path file;
  private BatchAnnounced second;
  private FileClue clue;

  @BeforeEach
  void send() throws IOException {
    file = folder.resolve("Master.csv");
    Files.copy(SAMPLE, file);
    new FileIngest(
            PROFILE,
            new IngestOptions(BATCH_BYTES, true, false),
            new KnownBatches(),
            sent,
            Progress.NONE)
        .ingest(file);
    second = sent.announced.get(1);
    clue =
        new FileClue(
            second.file(), second.fromByte(), second.toByte(), InFile.NOT_LOOKED_AT, -1, "");
  }

  @Test
  void shouldFindTheLinesThatIngestSentTheRecordsFrom() throws IOException {
    FileEvidence.Found found =
        evidence.look(file, sent.announced, second.batch(), clue, SeqText.parse("0,2"));

    assertThat(found.clue().inFile()).isEqualTo(InFile.FOUND);
    assertThat(found.clue().records()).isEqualTo(sent.places.get(second.batch()).size());
    List<String> lines = Files.readAllLines(file, java.nio.charset.StandardCharsets.ISO_8859_1);
    assertThat(found.lines()).containsOnlyKeys(0L, 2L);
    for (long seq : List.of(0L, 2L)) {
      Line line = found.lines().get(seq);
      assertThat(line.file() + ":" + line.number())
          .isEqualTo(sent.places.get(second.batch()).get((int) seq));
      assertThat(line.text()).isEqualTo(lines.get((int) line.number() - 1));
      assertThat(line.isExact()).isTrue();
    }
  }

  @Test
  void shouldNameNoLineBehindTheLastRecord() {
    FileEvidence.Found found =
        evidence.look(file, sent.announced, second.batch(), clue, SeqText.parse("100000"));

    assertThat(found.clue().inFile()).isEqualTo(InFile.FOUND);
    assertThat(found.lines()).isEmpty();
  }

  @Test
  void shouldSayThatAFileWasCutAfterItWasSent() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, (int) second.toByte() - 20));

    FileEvidence.Found found =
        evidence.look(file, sent.announced, second.batch(), clue, SeqText.parse("0"));

    assertThat(found.clue().inFile()).isEqualTo(InFile.CHANGED);
    assertThat(found.clue().note()).contains("no longer holds the bytes");
  }

  @Test
  void shouldSayThatAFileCannotBeRead() {
    FileEvidence.Found found =
        evidence.look(
            folder.resolve("gone.csv"), sent.announced, second.batch(), clue, SeqText.parse("0"));

    assertThat(found.clue().inFile()).isEqualTo(InFile.NOT_LOOKED_AT);
    assertThat(found.clue().note()).contains("not found");
  }

  /** Takes down what would be sent. */
  private static final class Sent implements Outbox {
    private final List<BatchAnnounced> announced = new ArrayList<>();
    private final Map<String, List<String>> places = new HashMap<>();

    @Override
    public void announce(BatchAnnounced batch) {
      announced.add(batch);
      places.put(batch.batch(), new ArrayList<>());
    }

    @Override
    public void send(OutgoingRecord record) {
      places.get(announced.get(announced.size() - 1).batch()).add(record.place());
    }

    @Override
    public Map<Integer, Long> awaitAcknowledged() {
      return Map.of();
    }

    @Override
    public void close(ControlTotal total) {}

    @Override
    public void close() {}
  }
}
