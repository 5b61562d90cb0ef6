package io.tollgate.ledger.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.ledger.gate.GateDecision.Beat;
import io.tollgate.ledger.gate.GateDecision.Ledger;
import io.tollgate.ledger.gate.GateDecision.Pause;
import io.tollgate.ledger.gate.GateDecision.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateDecisionTest {
  @ParameterizedTest(name = "halt {0}, ledger {1}, required {2}, heartbeat {3}: {4} {5}")
  @CsvSource({
    "h-1, NOT_ASKED, true,  NOT_SEEN, HALTED,",
    "h-1, ANSWERS,   true,  ALIVE,    HALTED,",
    "h-1, ANSWERS,   true,  MISSED,   HALTED,",
    "h-1, ANSWERS,   false, ALIVE,    HALTED,",
    "h-1, ANSWERS,   false, NOT_SEEN, HALTED,",
    "h-1, SILENT,    true,  ALIVE,    HALTED,",
    "h-1, SILENT,    false, ALIVE,    HALTED,",
    "   , NOT_ASKED, true,  NOT_SEEN, PAUSED, NOT_ASKED_YET",
    "   , NOT_ASKED, true,  ALIVE,    PAUSED, NOT_ASKED_YET",
    "   , NOT_ASKED, false, NOT_SEEN, PAUSED, NOT_ASKED_YET",
    "   , SILENT,    true,  ALIVE,    PAUSED, LEDGER_SILENT",
    "   , SILENT,    true,  NOT_SEEN, PAUSED, LEDGER_SILENT",
    "   , SILENT,    true,  MISSED,   PAUSED, LEDGER_SILENT",
    "   , SILENT,    false, ALIVE,    PAUSED, LEDGER_SILENT",
    "   , ANSWERS,   false, NOT_SEEN, OPEN,",
    "   , ANSWERS,   false, MISSED,   OPEN,",
    "   , ANSWERS,   false, ALIVE,    OPEN,",
    "   , ANSWERS,   true,  NOT_SEEN, PAUSED, NO_HEARTBEAT_YET",
    "   , ANSWERS,   true,  MISSED,   PAUSED, HEARTBEAT_MISSED",
    "   , ANSWERS,   true,  ALIVE,    OPEN,",
  })
  void decidesByTheTable(
      String halt, Ledger ledger, boolean required, Beat beat, State state, Pause pause) {
    List<String> halts = halt == null ? List.of() : List.of(halt);

    GateDecision decision = GateDecision.of(halts, ledger, required, beat);

    assertThat(decision.state()).isEqualTo(state);
    assertThat(decision.openHalts()).isEqualTo(halts);
    assertThat(decision.pause().orElse(null)).isEqualTo(pause);
    assertThat(decision.isOpen()).isEqualTo(state == State.OPEN);
  }

  @Test
  void saysWhatToDo() {
    assertThat(
            GateDecision.of(List.of("h-1", "h-2"), Ledger.ANSWERS, true, Beat.ALIVE).explanation())
        .contains("h-1", "h-2", "./tollgate halt status", "./tollgate halt acknowledge");
    assertThat(GateDecision.of(List.of(), Ledger.ANSWERS, true, Beat.NOT_SEEN).explanation())
        .contains("by itself", "reconcile job", "reconcile.required: false");
  }
}
