package io.tollgate.localstack.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedProcessTest {
  private static final String MARKER = "0.000123";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir Path folder;
  private Path pidFile;
  private DetachedProcess process;

  @BeforeEach
  void create() {
    pidFile = folder.resolve("one.pid");
    process = new DetachedProcess(pidFile);
  }

  @AfterEach
  void endWhatIsLeft() {
    process.kill();
  }

  @Test
  void shouldBeFoundAgainByAnotherHolderOfThePidFile() throws IOException {
    start("sleep", "300", MARKER);
    await().atMost(PATIENCE).until(process::isAlive);

    DetachedProcess other = new DetachedProcess(pidFile);

    assertThat(other.isAlive()).isTrue();
    assertThat(other.pid()).isEqualTo(process.pid());
    assertThat(other.residentBytes().orElseThrow()).isPositive();
  }

  @Test
  void shouldEndWhenAskedAndForgetThePid() throws IOException {
    start("sleep", "300", MARKER);
    await().atMost(PATIENCE).until(process::isAlive);

    assertThat(process.stop(Signal.TERM, PATIENCE)).isTrue();

    assertThat(process.isAlive()).isFalse();
    assertThat(pidFile).doesNotExist();
  }

  @Test
  void shouldBeKilledWhenItDoesNotEndInTime() throws IOException {
    start("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done", MARKER);
    awaitReady();

    assertThat(process.stop(Signal.TERM, Duration.ofMillis(300))).isFalse();

    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void shouldEndWhenAskedWhileFrozen() throws IOException {
    start("sleep", "300", MARKER);
    await().atMost(PATIENCE).until(process::isAlive);
    process.freeze();

    assertThat(process.stop(Signal.TERM, PATIENCE)).isTrue();
  }

  @Test
  void shouldStandStillWhileFrozen() throws IOException {
    start("sleep", "300", MARKER);
    // While it goes over to another program it cannot be told from a stranger.
    await().atMost(PATIENCE).until(process::isAlive);
    long pid = process.pid().orElseThrow();

    process.freeze();
    await().atMost(PATIENCE).until(() -> state(pid) == 'T');
    assertThat(process.isAlive()).isTrue();

    process.thaw();
    await().atMost(PATIENCE).until(() -> state(pid) == 'S');
  }

  @Test
  void shouldEndWithTheProcessesItStarted() throws IOException {
    start("sh", "-c", "sleep 300 & echo ready; wait", MARKER);
    awaitReady();
    List<Long> family = process.family();
    assertThat(family).hasSize(2);

    process.kill();

    assertThat(family).allMatch(pid -> CommandLine.of(pid).isEmpty());
  }

  @Test
  void shouldNotTouchAProcessThatOnlyHasTheSamePid() throws IOException {
    Process stranger = new ProcessBuilder("sleep", "300").start();
    try {
      new PidFile(pidFile).write(new PidFile.Entry(stranger.pid(), MARKER));

      assertThat(process.isAlive()).isFalse();
      process.freeze();
      process.kill();
      process.stop(Signal.TERM, PATIENCE);

      assertThat(stranger.isAlive()).isTrue();
      assertThat(state(stranger.pid())).isNotEqualTo('T');
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void shouldNotTakeAPartOfAnArgumentForTheMarker() throws IOException {
    Process stranger = new ProcessBuilder("sleep", "300", MARKER + "4").start();
    try {
      new PidFile(pidFile).write(new PidFile.Entry(stranger.pid(), MARKER));

      assertThat(process.isAlive()).isFalse();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void shouldCountAsStoppedWithoutOrWithADamagedPidFile() throws IOException {
    assertThat(process.isAlive()).isFalse();
    for (String damaged : List.of("", "12", "abc\nmarker\n", "1\n\n")) {
      Files.writeString(pidFile, damaged);
      assertThat(process.isAlive()).as(damaged).isFalse();
    }
  }

  @Test
  void shouldRefuseACommandWithoutTheMarker() {
    assertThatThrownBy(() -> start("sleep", "300"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("marker: " + MARKER);
  }

  private void start(String... command) throws IOException {
    process.start(List.of(command), Map.of(), folder, folder.resolve("one.out"), MARKER);
  }

  private void awaitReady() {
    await()
        .atMost(PATIENCE)
        .until(() -> DetachedProcess.lastLines(folder.resolve("one.out"), 1).contains("ready"));
  }

  private static char state(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }
}
