package io.tollgate.reconcile.halt;

import io.tollgate.domain.reconcile.ReconcileResult;
import io.tollgate.domain.reconcile.ReconcileResult.Acknowledgement.Resolution;
import io.tollgate.ledger.gate.Acknowledgement;
import io.tollgate.ledger.gate.RecordedHalt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies halts and the answers to them into the results, for people who look there: what was raised
 * by hand or by another job is among them.
 *
 * <p>Each look reads the open halts, and those that were open at the look before. All halts are
 * read at the first look and once an hour, so that one which was raised and answered between two
 * looks comes too. What it remembers may be forgotten: copying a halt again changes nothing. For
 * one thread.
 */
final class HaltMirror {
  private static final Duration ALL_EVERY = Duration.ofHours(1);

  private final HaltDesk desk;
  private final Map<String, Integer> answersOfOpen = new HashMap<>();
  private boolean hasLooked;
  private long allReadMillis;

  HaltMirror(HaltDesk desk) {
    this.desk = desk;
  }

  /** Returns halts and answers that are new or have changed since the last look. */
  List<ReconcileResult> look(long nowMillis) {
    List<ReconcileResult> news = new ArrayList<>();
    List<RecordedHalt> open;
    if (!hasLooked || nowMillis - allReadMillis >= ALL_EVERY.toMillis()) {
      List<RecordedHalt> all = desk.all();
      all.forEach(halt -> copy(halt, news));
      open = all.stream().filter(RecordedHalt::isOpen).toList();
      hasLooked = true;
      allReadMillis = nowMillis;
    } else {
      open = desk.open();
      for (RecordedHalt halt : open) {
        Integer before = answersOfOpen.remove(halt.halt().id());
        if (before == null || before != halt.acknowledgements().size()) {
          copy(halt, news);
        }
      }
      // What is left was open at the last look and is not any more.
      for (String ended : answersOfOpen.keySet()) {
        desk.halt(ended).ifPresent(halt -> copy(halt, news));
      }
    }
    answersOfOpen.clear();
    open.forEach(halt -> answersOfOpen.put(halt.halt().id(), halt.acknowledgements().size()));
    return news;
  }

  private static void copy(RecordedHalt recorded, List<ReconcileResult> news) {
    news.add(
        new ReconcileResult.Halt(
            recorded.halt().id(),
            recorded.halt().raisedAt().toEpochMilli(),
            recorded.halt().cause(),
            recorded.halt().differences().stream().map(each -> each.id()).toList()));
    Optional<Acknowledgement> newest =
        recorded.acknowledgements().stream().max(Comparator.comparing(Acknowledgement::at));
    newest.ifPresent(
        answer -> {
          Map<String, Resolution> resolutions = new HashMap<>();
          recorded
              .acknowledgements()
              .forEach(
                  each ->
                      resolutions.put(
                          each.differenceId(), Resolution.valueOf(each.resolution().name())));
          news.add(
              new ReconcileResult.Acknowledgement(
                  recorded.halt().id(),
                  answer.who(),
                  answer.reason(),
                  resolutions,
                  answer.at().toEpochMilli()));
        });
  }
}
