package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.Difference;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.ledger.gate.Resolution;
import io.tollgate.reconcile.compare.WriteOffs;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/** Where halts are raised, and what people answered to them is read. */
public interface HaltDesk extends WriteOffs {
  /** What is recorded of a difference. */
  record Recorded(boolean open, Optional<Resolution> resolution) {}

  /** Raises a halt for a difference; changes nothing if that was done before. */
  void raise(Difference difference, String example);

  /** Returns what is recorded of a difference, if it ever raised a halt. */
  Optional<Recorded> find(Difference difference);

  /** Returns every halt that is recorded, with its answers. */
  List<RecordedHalt> all();

  /** Returns the halts that keep charging stopped. */
  List<RecordedHalt> open();

  /** Returns a halt by its id, if it is recorded. */
  Optional<RecordedHalt> halt(String id);

  /** Returns whether charging is halted. */
  boolean isHalted();

  /** Beats, once a cycle is complete. */
  void beat();

  /** Opens desks; travels with the graph. */
  @FunctionalInterface
  interface Desks extends Serializable {
    /** Opens a desk. */
    HaltDesk open();
  }
}
