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
    return publish(config, read(directory), Clock.systemUTC()).book();
  }

  static TariffBook read(Path directory) {
    TariffCheck check = TariffDirectory.read(directory);
    return check
        .book()
        .orElseThrow(() -> new RefusedException(lines(directory + " has errors:", check.errors())));
  }

  static Publication publish(TollgateConfig config, TariffBook files, Clock clock)
      throws InterruptedException {
    long boundary = clock.millis() + config.tariffs().leadTime().toMillis();
    Publication publication =
        topic(config)
            .publish(
                last -> Publication.after(last, files, boundary),
                candidate -> candidate.pastChanges().isEmpty());
    if (!publication.pastChanges().isEmpty()) {
      throw new RefusedException(
          lines(
              "Not published: it would change prices of the past, or of the lead time of "
                  + config.tariffs().leadTime()
                  + " in which a CDR could arrive before the tariffs do. Give the new price a"
                  + " valid_from after that, and the old one a valid_to.",
              publication.pastChanges()));
    }
    return publication;
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
