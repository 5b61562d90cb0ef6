package io.tollgate.ledger.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HaltTest {
  private static final Instant AT = Instant.parse("2026-03-29T01:00:00Z");

  @Test
  void namesWhatIsWrong() {
    assertThatThrownBy(() -> halt("a/b", List.of(difference("d"))))
        .hasMessageContaining("halt id: 'a/b' (expected: ");
    assertThatThrownBy(() -> halt("h", List.of()))
        .hasMessage("differences of halt h: 0 (expected: 1 to 200)");
    assertThatThrownBy(() -> halt("h", List.of(difference("d"), difference("d"))))
        .hasMessageContaining("difference d of halt h: twice");
    List<Difference> many = new ArrayList<>();
    for (int i = 0; i <= Halt.DIFFERENCES_MAX; i++) {
      many.add(difference("d-" + i));
    }
    assertThatThrownBy(() -> halt("h", many)).hasMessageContaining("201 (expected: 1 to 200)");
    assertThatThrownBy(() -> new Difference("d", "lower", ""))
        .hasMessageContaining("difference kind: 'lower' (expected: ");
    assertThatThrownBy(() -> new Difference("d", "KIND", "x".repeat(2_001)))
        .hasMessageContaining("2001 characters (expected: at most 2000)");
  }

  @Test
  void isOpenUntilEveryDifferenceIsResolved() {
    Halt halt = halt("h", List.of(difference("a"), difference("b")));

    assertThat(new RecordedHalt(halt, List.of(), List.of()).isOpen()).isTrue();
    RecordedHalt half = new RecordedHalt(halt, List.of(resolved("a")), List.of());
    assertThat(half.isOpen()).isTrue();
    assertThat(half.unresolved()).extracting(Difference::id).containsExactly("b");
    assertThat(new RecordedHalt(halt, List.of(resolved("a"), resolved("b")), List.of()).isOpen())
        .isFalse();
  }

  @Test
  void elementOfTheStaticColumnIsReadAsItWasWritten() {
    OpenDifference open = new OpenDifference("h:1", "batch a/b, seq 7");
    assertThat(OpenDifference.decode(open.encoded())).isEqualTo(open);
  }

  private static Halt halt(String id, List<Difference> differences) {
    return new Halt(id, "cause", "test", AT, differences);
  }

  private static Difference difference(String id) {
    return new Difference(id, "ROW_MISSING", "a row is missing");
  }

  private static Acknowledgement resolved(String id) {
    return new Acknowledgement(id, Resolution.WRITE_OFF, "accepted", "alice", AT);
  }
}
