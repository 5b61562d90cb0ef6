package io.tollgate.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.outcome.Outcome;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.ingest.batch.FileIngest;
import io.tollgate.ingest.batch.FileReport;
import io.tollgate.ingest.batch.IngestOptions;
import io.tollgate.ingest.batch.KnownBatches;
import io.tollgate.ingest.batch.Progress;
import io.tollgate.ingest.format.SourceOptions;
import io.tollgate.ingest.format.SourceProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The files of {@code samples/} are what their README and {@code expected.csv} say. */
class SamplesTest {
  private static final Path SAMPLES = Path.of("..", "samples");
  private static final IngestOptions COMPLETE =
      new IngestOptions(IngestOptions.DEFAULT_BATCH_BYTES, true, false);

  private final Judge judge = new Judge();
  private final Map<String, KnownBatches> knownBySource = new HashMap<>();
  private final TollgateConfig config = TollgateConfig.read(SAMPLES.resolve("sources.yaml"));

  @Test
  void shouldHaveTheOutcomesThatAreWrittenDown() throws IOException {
    List<String> expected = Files.readAllLines(SAMPLES.resolve("expected.csv"));
    List<String> found = new ArrayList<>();
    found.add(expected.get(0));

    for (String line : expected.subList(1, expected.size())) {
      String[] fields = line.split(",", -1);
      found.add(ingested(fields[0], fields[1]));
    }

    assertThat(found).isEqualTo(expected);
  }

  @Test
  void shouldMakeNothingOfAFileThatIsIngestedAgain() {
    ingest("asterisk/Master.csv", "pbx-berlin");

    assertThat(ingest("asterisk/Master.csv", "pbx-berlin").records()).isZero();
  }

  @Test
  void shouldRefuseTheCmrFile() {
    assertThat(ingest("cucm/cmr_StandAloneCluster_01_202610061200_17", "cucm-1").refused())
        .contains("this is a CMR file");
  }

  @Test
  void shouldRefuseEverySampleInEveryOtherFormat() {
    assertThat(ingest("asterisk/Master.csv", "fs-1").refused())
        .contains("it looks like --format asterisk");
    assertThat(ingest("freeswitch/Master.csv", "pbx-berlin").refused())
        .contains("it looks like --format freeswitch-csv");
    assertThat(ingest("freeswitch/calls.json", "gateway").refused())
        .contains("it looks like --format freeswitch-json");
    assertThat(ingest("tollgate-json/cdrs.jsonl", "fs-1-json").refused())
        .contains("it looks like --format tollgate-json");
    assertThat(ingest("cucm/cdr_StandAloneCluster_01_202610061200_17", "pbx-berlin").refused())
        .contains("it looks like --format cucm");
  }

  private String ingested(String file, String source) {
    Map<Outcome, Long> before = new HashMap<>();
    for (Outcome outcome : Outcome.values()) {
      before.put(outcome, judge.count(outcome));
    }
    long badBefore = judge.count(Reason.BAD_LINE);
    FileReport report = ingest(file, source);
    assertThat(report.refused()).as(file).isEmpty();
    assertThat(judge.count(Reason.BAD_LINE) - badBefore).isEqualTo(report.rejected());
    StringBuilder line = new StringBuilder(file + "," + source + "," + report.records());
    for (Outcome outcome : Outcome.values()) {
      line.append(',').append(judge.count(outcome) - before.getOrDefault(outcome, 0L));
    }
    return line.append(',').append(report.rejected()).toString();
  }

  private FileReport ingest(String file, String source) {
    return new FileIngest(
            profile(source),
            COMPLETE,
            knownBySource.computeIfAbsent(source, id -> new KnownBatches()),
            judge,
            Progress.NONE)
        .ingest(SAMPLES.resolve(file));
  }

  private SourceProfile profile(String source) {
    TollgateConfig.Source declared = config.sources().get(source);
    return new SourceOptions(
            source,
            declared.format(),
            declared.switchId(),
            declared.zone() == null ? null : declared.zone().getId(),
            declared.country(),
            declared.account(),
            declared.legs(),
            declared.identity(),
            declared.columns())
        .toProfile();
  }
}
