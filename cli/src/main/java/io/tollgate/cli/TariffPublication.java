package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.pricing.TariffCheck;
import io.tollgate.pricing.TariffDirectory;
import io.tollgate.wire.tariff.TariffTopic;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Publishes a directory of tariff files to the topic of an installation. */
public final class TariffPublication {
  private static final int SHOWN = 20;

  private TariffPublication() {}

  /** The tariffs were not published; the message says why. */
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /**
   * Publishes what the files say; nothing, if that is published already.
   *
   * @return the book in force: the new one, or the last one if nothing is new
   * @throws RefusedException if the files have an error, or would change a price of the past
   */
  public static TariffBook publish(TollgateConfig config, Path directory)
      throws InterruptedException {
    return publish(config, read(directory), Optional.empty(), Clock.systemUTC()).book();
  }

  static TariffBook read(Path directory) {
    TariffCheck check = TariffDirectory.read(directory);
    return check
        .book()
        .orElseThrow(() -> new RefusedException(lines(directory + " has errors:", check.errors())));
  }

  /**
   * @param reason why the past is to be corrected; absent if it must not be
   */
  static Publication publish(
      TollgateConfig config, TariffBook files, Optional<String> reason, Clock clock)
      throws InterruptedException {
    long boundary = clock.millis() + config.tariffs().leadTime().toMillis();
    Publication publication =
        topic(config)
            .publish(
                history -> {
                  Publication next = Publication.after(history, files, boundary);
                  return reason.map(why -> next.asCorrection(history, why)).orElse(next);
                },
                candidate ->
                    reason.isPresent()
                        ? candidate.correction().isPresent() && candidate.removals().isEmpty()
                        : candidate.pastChanges().isEmpty());
    if (reason.isPresent()) {
      refuseWhatIsNoCorrection(publication);
    } else if (!publication.pastChanges().isEmpty()) {
      throw new RefusedException(
          lines(
              "Not published: it would change prices of the past, or of the lead time of "
                  + config.tariffs().leadTime()
                  + " in which a CDR could arrive before the tariffs do, or of the day after a"
                  + " correction, in which a call may still be under way. Give the new price a"
                  + " valid_from after that, and the old one a valid_to; or, if what was charged"
                  + " is wrong, publish with --correction --reason WHY.",
              publication.pastChanges()));
    }
    return publication;
  }

  private static void refuseWhatIsNoCorrection(Publication publication) {
    if (publication.isNew() && publication.pastChanges().isEmpty()) {
      throw new RefusedException(
          "Not published: it changes no price of the past and needs no correction. Publish it"
              + " without --correction.");
    }
    if (!publication.removals().isEmpty()) {
      throw new RefusedException(
          lines(
              "Not published: what was charged cannot come to have no price. Give a price of 0"
                  + " where nothing is owed.",
              publication.removals()));
    }
  }

  static TariffTopic topic(TollgateConfig config) {
    return new TariffTopic(config.kafka().clientProperties(), config.kafka().topics().tariffs());
  }

  private static String lines(String first, List<?> all) {
    String shown =
        all.stream().limit(SHOWN).map(line -> "\n  " + line).collect(Collectors.joining());
    return first + shown + (all.size() > SHOWN ? "\n  and " + (all.size() - SHOWN) + " more" : "");
  }
}
