package io.tollgate.reconcile.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.reconcile.halt.StopDecision.Job;
import io.tollgate.reconcile.halt.StopDecision.Stop;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StopDecisionTest {
  @ParameterizedTest(name = "{0} after {1}: {2}")
  @CsvSource({
    "RUNNING, NONE,        STOP",
    "RUNNING, IN_PROGRESS, WAIT",
    "RUNNING, FAILED,      STOP_AGAIN",
    "RUNNING, LOST,        STOP_AGAIN",
    "RUNNING, COMPLETED,   STOP_AGAIN",
  })
  void decidesAboutARunningJobByWhatBecameOfTheStop(Job job, Stop stop, StopDecision decision) {
    assertThat(StopDecision.of(job, stop)).isEqualTo(decision);
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void decidesAboutOtherJobsByTheirStateAlone(Stop stop) {
    assertThat(StopDecision.of(Job.BUSY, stop)).isEqualTo(StopDecision.WAIT);
    assertThat(StopDecision.of(Job.FINISHED, stop)).isEqualTo(StopDecision.RECORD);
    assertThat(StopDecision.of(Job.DEAD, stop)).isEqualTo(StopDecision.REPORT);
    assertThat(StopDecision.of(Job.GONE, stop)).isEqualTo(StopDecision.REPORT);
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, RUNNING",
    "FINISHED, FINISHED",
    "FAILED, DEAD",
    "CANCELED, DEAD",
    "CREATED, BUSY",
    "INITIALIZING, BUSY",
    "RESTARTING, BUSY",
    "RECONCILING, BUSY",
    "FAILING, BUSY",
    "CANCELLING, BUSY",
    "SUSPENDED, BUSY",
  })
  void knowsFlinksStates(String flink, Job job) {
    assertThat(Job.of(flink)).isEqualTo(job);
  }
}
