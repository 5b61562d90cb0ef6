package io.tollgate.rerate;

import io.tollgate.settlement.Rerates;
import java.io.Serializable;
import java.util.List;

/** Where a run is recorded. Used from the task's thread only. */
public interface RunStore extends AutoCloseable {

  /** Opens stores. */
  interface Factory extends Serializable {
    /** Opens one. */
    RunStore open();
  }

  /** Records totals, each in the place of what was recorded of it before. */
  void totals(String run, List<Rerates.Total> totals) throws Exception;

  /** Records how far a run came. */
  void progress(String run, Rerates.Progress progress) throws Exception;

  /** Records that a run is through. */
  void finish(String run, Rerates.Progress progress) throws Exception;

  @Override
  void close();
}
