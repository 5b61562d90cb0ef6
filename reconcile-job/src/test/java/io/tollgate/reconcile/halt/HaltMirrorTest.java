package io.tollgate.reconcile.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.ledger.gate.Acknowledgement;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.Halt;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HaltMirrorTest {
  private static final long HOUR = 3_600_000;

  private final Map<String, RecordedHalt> recorded = new LinkedHashMap<>();
  private final List<String> reads = new ArrayList<>();
  private final HaltMirror mirror = new HaltMirror(new Desk());

  @Test
  void copiesEverythingAtTheFirstLook() {
    raise("old", "d1", "d2");
    answer("old", "d1", Resolution.REPAIR, "bob", 5);
    answer("old", "d2", Resolution.WRITE_OFF, "eve", 7);
    raise("new", "d3");

    assertThat(mirror.look(0))
        .containsExactly(
            new ReconcileResult.Halt("old", 1, "cause of old", List.of("d1", "d2")),
            new ReconcileResult.Acknowledgement(
                "old",
                "eve",
                "because",
                Map.of(
                    "d1", ReconcileResult.Acknowledgement.Resolution.REPAIR,
                    "d2", ReconcileResult.Acknowledgement.Resolution.WRITE_OFF),
                7),
            new ReconcileResult.Halt("new", 1, "cause of new", List.of("d3")));
  }

  @Test
  void copiesOnlyWhatIsNewAfterwards() {
    raise("h", "d1", "d2");
    mirror.look(0);
    assertThat(mirror.look(1)).isEmpty();

    answer("h", "d1", Resolution.VOID, "bob", 9);
    assertThat(mirror.look(2))
        .filteredOn(ReconcileResult.Acknowledgement.class::isInstance)
        .hasSize(1);
    assertThat(mirror.look(3)).isEmpty();
    assertThat(reads).containsExactly("all", "open", "open", "open");
  }

  @Test
  void copiesTheLastAnswerOfAHaltThatIsNotOpenAnyMore() {
    raise("h", "d1");
    mirror.look(0);
    answer("h", "d1", Resolution.REPLAY, "bob", 9);

    assertThat(mirror.look(1))
        .filteredOn(ReconcileResult.Acknowledgement.class::isInstance)
        .hasSize(1);
    assertThat(mirror.look(2)).isEmpty();
  }

  @Test
  void findsWithinAnHourWhatWasRaisedAndAnsweredBetweenTwoLooks() {
    mirror.look(0);
    raise("h", "d1");
    answer("h", "d1", Resolution.WRITE_OFF, "bob", 9);

    assertThat(mirror.look(HOUR - 1)).isEmpty();
    assertThat(mirror.look(HOUR)).hasSize(2);
  }

  private void raise(String id, String... differences) {
    List<Difference> all = new ArrayList<>();
    for (String difference : differences) {
      all.add(new Difference(difference, "MANUAL", "?"));
    }
    recorded.put(
        id,
        new RecordedHalt(
            new Halt(id, "cause of " + id, "ann", Instant.ofEpochMilli(1), all),
            List.of(),
            List.of()));
  }

  private void answer(
      String id, String difference, Resolution resolution, String who, long atMillis) {
    RecordedHalt before = recorded.get(id);
    List<Acknowledgement> answers = new ArrayList<>(before.acknowledgements());
    answers.add(
        new Acknowledgement(
            difference, resolution, "because", who, Instant.ofEpochMilli(atMillis)));
    recorded.put(id, new RecordedHalt(before.halt(), answers, List.of()));
  }

  private final class Desk implements HaltDesk {
    @Override
    public List<RecordedHalt> all() {
      reads.add("all");
      return List.copyOf(recorded.values());
    }

    @Override
    public List<RecordedHalt> open() {
      reads.add("open");
      return recorded.values().stream().filter(RecordedHalt::isOpen).toList();
    }

    @Override
    public Optional<RecordedHalt> halt(String id) {
      return Optional.ofNullable(recorded.get(id));
    }

    @Override
    public void raise(io.tollgate.domain.reconcile.Difference difference, String example) {
      throw new UnsupportedOperationException("not here");
    }

    @Override
    public Optional<Recorded> find(io.tollgate.domain.reconcile.Difference difference) {
      throw new UnsupportedOperationException("not here");
    }

    @Override
    public List<String> writtenOff(String idPrefix) {
      return List.of();
    }

    @Override
    public boolean isHalted() {
      return false;
    }

    @Override
    public void beat() {
      throw new UnsupportedOperationException("not here");
    }

    @Override
    public void close() {}
  }
}
