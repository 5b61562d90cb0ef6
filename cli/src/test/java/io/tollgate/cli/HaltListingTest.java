package io.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.ledger.gate.Acknowledgement;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.GateDecision.Pause;
import io.tollgate.ledger.gate.GateDecision.State;
import io.tollgate.ledger.gate.Halt;
import io.tollgate.ledger.gate.HaltSavepoint;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HaltListingTest {
  private static final Instant AT = Instant.parse("2026-03-29T01:00:00Z");
  private static final RecordedHalt OPEN =
      new RecordedHalt(
          new Halt(
              "h-2",
              "a row is missing",
              "reconcile",
              AT,
              List.of(
                  new Difference("a", "ROW_MISSING", "batch 7, seq 3"),
                  new Difference("b", "ROW_MISSING", "batch 7, seq 4"))),
          List.of(new Acknowledgement("a", Resolution.WRITE_OFF, "tiny", "alice", AT)),
          List.of(new HaltSavepoint("job-1", "/savepoints/1", AT)));
  private static final RecordedHalt PAST =
      new RecordedHalt(
          new Halt("h-1", "by hand", "bob", AT, List.of(new Difference("1", "MANUAL", "by hand"))),
          List.of(new Acknowledgement("1", Resolution.WRITE_OFF, "done", "bob", AT)),
          List.of());

  @ParameterizedTest(name = "halted {0}, job says {1}: {2}")
  @CsvSource({
    "true,  0, HALTED",
    "true,  1, HALTED",
    "true,  2, HALTED",
    "true,   , HALTED",
    "false, 0, OPEN",
    "false, 1, PAUSED",
    "false, 2, PAUSED",
    "false,  , OPEN",
  })
  void stateFollowsHaltsThenTheRunningJob(boolean halted, Integer job, State state) {
    GateStatus status =
        status(
            halted ? List.of(PAST, OPEN) : List.of(PAST),
            job == null ? OptionalInt.empty() : OptionalInt.of(job));
    assertThat(status.state()).isEqualTo(state);
  }

  @Test
  void printsOpenHaltsWithWhatIsLeftToDo() {
    StringWriter text = new StringWriter();
    new HaltListing(status(List.of(PAST, OPEN), OptionalInt.of(2))).print(new PrintWriter(text), 3);
    assertThat(text.toString())
        .contains(
            "Gate: halted",
            "HALT h-2",
            "a (ROW_MISSING): batch 7, seq 3",
            "write-off by alice, 2026-03-29T01:00:00Z: tiny",
            "no resolution yet",
            "job job-1 was stopped; savepoint /savepoints/1",
            "Past halts: 1",
            "Halt h-1",
            "./tollgate halt acknowledge ID");
  }

  @Test
  void givesProgramsAllOfIt() {
    var json = new HaltListing(status(List.of(PAST, OPEN), OptionalInt.empty())).toJson();
    assertThat(json.get("gate").asText()).isEqualTo("halted");
    assertThat(json.get("completeCycles").asLong()).isEqualTo(41);
    assertThat(json.get("halts")).hasSize(2);
    var open = json.get("halts").get(1);
    assertThat(open.get("open").asBoolean()).isTrue();
    assertThat(open.at("/differences/0/resolution/resolution").asText()).isEqualTo("write-off");
    assertThat(open.at("/differences/1").has("resolution")).isFalse();
    assertThat(open.at("/savepoints/0/path").asText()).isEqualTo("/savepoints/1");
  }

  @Test
  void saysThatNothingRunsInsteadOfCallingItWell() {
    assertThat(status(List.of(), OptionalInt.empty()).advice())
        .contains("no rating job is running");
    assertThat(
            new GateStatus(
                    List.of(),
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    "connection refused")
                .advice())
        .contains("Flink does not answer: connection refused");
  }

  @Test
  void shouldSayWhyTheJobPauses() {
    for (Pause pause : Pause.values()) {
      GateStatus paused =
          new GateStatus(
              List.of(),
              OptionalLong.of(41),
              OptionalInt.of(State.PAUSED.code()),
              Pause.of(pause.code()),
              null);
      assertThat(paused.state()).isEqualTo(State.PAUSED);
      assertThat(paused.advice()).contains(pause.cause(), pause.advice());
    }
    assertThat(Pause.of(0)).isEmpty();
  }

  private static GateStatus status(List<RecordedHalt> halts, OptionalInt job) {
    return new GateStatus(halts, OptionalLong.of(41), job, Optional.empty(), null);
  }
}
