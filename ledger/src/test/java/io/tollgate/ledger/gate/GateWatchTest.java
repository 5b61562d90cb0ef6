package io.tollgate.ledger.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.ledger.gate.GateDecision.Pause;
import io.tollgate.ledger.gate.GateDecision.State;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class GateWatchTest {
  private static final GateRules RULES =
      new GateRules(true, Duration.ofSeconds(180), Duration.ofSeconds(1));
  // System.nanoTime() may overflow while a process runs.
  private static final long START_NANOS = Long.MAX_VALUE - Duration.ofSeconds(2).toNanos();

  private final GateWatch watch = new GateWatch(RULES);

  @Test
  void isClosedBeforeTheFirstAnswer() {
    assertThat(pauseAt(0)).isEqualTo(Pause.NOT_ASKED_YET);
  }

  @Test
  void staysClosedUntilTheHeartbeatAdvances() {
    see(0, 41);
    assertThat(pauseAt(0)).isEqualTo(Pause.NO_HEARTBEAT_YET);
    see(60, 41);
    assertThat(pauseAt(60)).isEqualTo(Pause.NO_HEARTBEAT_YET);
    see(61, 42);
    assertThat(stateAt(61)).isEqualTo(State.OPEN);
  }

  @Test
  void firstHeartbeatOfAllCountsAsAnAdvance() {
    watch.saw(new GateReading(List.of(), OptionalLong.empty()), at(0));
    see(1, 1);
    assertThat(stateAt(1)).isEqualTo(State.OPEN);
  }

  @Test
  void vanishedHeartbeatIsNotAlive() {
    see(0, 1);
    see(1, 2);
    watch.saw(new GateReading(List.of(), OptionalLong.empty()), at(2));
    assertThat(pauseAt(2)).isEqualTo(Pause.NO_HEARTBEAT_YET);
  }

  @Test
  void pausesWhenTheHeartbeatStandsStillAndOpensByItself() {
    see(0, 1);
    see(1, 2);
    see(181, 2);
    assertThat(stateAt(181)).isEqualTo(State.OPEN);
    see(182, 2);
    assertThat(pauseAt(182)).isEqualTo(Pause.HEARTBEAT_MISSED);
    see(183, 3);
    assertThat(stateAt(183)).isEqualTo(State.OPEN);
  }

  @Test
  void pausesWhenTheLedgerIsSilentAndOpensByItself() {
    see(0, 1);
    see(1, 2);
    assertThat(stateAt(2)).isEqualTo(State.OPEN);
    assertThat(pauseAt(3)).isEqualTo(Pause.LEDGER_SILENT);
    see(4, 2);
    assertThat(stateAt(4)).isEqualTo(State.OPEN);
  }

  @Test
  void haltIsKnownWhileTheLedgerIsSilent() {
    see(0, 1);
    watch.saw(new GateReading(List.of("h-1"), OptionalLong.of(2)), at(1));
    assertThat(stateAt(1)).isEqualTo(State.HALTED);
    assertThat(stateAt(100)).isEqualTo(State.HALTED);
    see(101, 3);
    assertThat(stateAt(101)).isEqualTo(State.OPEN);
  }

  @Test
  void answerThatWasOvertakenIsIgnored() {
    see(0, 1);
    watch.saw(new GateReading(List.of("h-1"), OptionalLong.of(2)), at(2));
    see(1, 2);
    assertThat(stateAt(2)).isEqualTo(State.HALTED);
  }

  private void see(int second, long heartbeat) {
    watch.saw(new GateReading(List.of(), OptionalLong.of(heartbeat)), at(second));
  }

  private State stateAt(int second) {
    return watch.decide(at(second)).state();
  }

  private Pause pauseAt(int second) {
    return watch.decide(at(second)).pause().orElseThrow();
  }

  private static long at(int second) {
    return START_NANOS + Duration.ofSeconds(second).toNanos();
  }
}
