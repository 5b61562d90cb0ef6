package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgate.acceptance.ReadmeSteps.Answer;
import io.tollgate.cli.TariffPublication;
import io.tollgate.cli.Tollgate;
import io.tollgate.cli.demo.DemoConfiguration;
import io.tollgate.cli.demo.WatchedOutbox;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.UsageType;
import io.tollgate.domain.ledger.Charge;
import io.tollgate.domain.tariff.Publication;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.ingest.batch.OutgoingRecord;
import io.tollgate.localstack.Server;
import io.tollgate.pricing.TariffDirectory;
import io.tollgate.wire.ControlMessage.BatchAnnounced;
import io.tollgate.wire.ControlMessage.ControlTotal;
import io.tollgate.wire.tariff.TariffBookCodec;
import io.tollgate.wire.tariff.TariffTopic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tariffs on the real stack: what is published, corrected or damaged while the job runs, and what
 * the ledger says of it.
 */
class TariffITCase {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LEAD_TIME = Duration.ofSeconds(6);

  /** How long after it is decided upon a price begins: the lead time, and time to publish it. */
  private static final Duration AHEAD = LEAD_TIME.plusSeconds(9);

  private static final String CLOSE_TO_NOW = "max_ahead: 2s\n";
  private static final String LEAD = "tariffs: {lead_time: " + LEAD_TIME.toSeconds() + "s}\n";
  private static final String GERMANY = "+49,Germany,";
  private static final Instant SINCE = Instant.parse("2020-01-01T00:00:00Z");
  private static final int MAX_CALL_SECONDS = 8;
  private static final int CALLS_OF_A_BATCH = 100;

  @RegisterExtension static final RunningStack STACK = new RunningStack();

  private final List<Cdr> sent = new ArrayList<>();
  private final List<ControlTotal> totals = new ArrayList<>();
  private Installation installation;

  @AfterEach
  void cancelJobs() throws Exception {
    if (installation != null) {
      installation.cancelAll();
    }
  }

  // ------------------------------------------------------------------ published while it runs

  /**
   * 0.60 a minute, then 0.77, then 1.01, published one after the other while calls come in; the
   * last one while the job is being restored from a savepoint that is older than both. The ledger
   * is compared with a loop over the seconds of each call, that knows nothing of books.
   */
  @Test
  void pricesEveryCallByItsOwnTimeOverPublicationsAndAnOlderSavepoint() throws Exception {
    install("while", CLOSE_TO_NOW, price("0.60", SINCE, null));
    String first = installation.submit(List.of(), "--fresh");
    installation.awaitState(first, "RUNNING");
    send("before", calls("before", Instant.now(), CALLS_OF_A_BATCH));
    installation.awaitOutcomes(totals, PATIENCE);
    String savepoint = installation.savepoint(first);

    Instant second;
    Instant third;
    ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
    try {
      Future<?> sending =
          load.scheduleWithFixedDelay(this::sendCallsOfThisMoment, 0, 200, TimeUnit.MILLISECONDS);
      second = ahead();
      publish(price("0.60", SINCE, second), price("0.77", second, null));
      awaitMoment(second.plusSeconds(2));
      third = ahead();
      publish(
          price("0.60", SINCE, second), price("0.77", second, third), price("1.01", third, null));
      installation.cancel(first);
      String again = installation.submit(List.of("-s", savepoint));
      installation.awaitState(again, "RUNNING");
      awaitMoment(third.plusSeconds(MAX_CALL_SECONDS));
      assertThat(sending.isDone()).as("the load goes on").isFalse();
    } finally {
      load.shutdown();
      assertThat(load.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
    send("late", calls("late", second.plusSeconds(MAX_CALL_SECONDS / 2), CALLS_OF_A_BATCH));
    installation.awaitOutcomes(totals, PATIENCE);

    Map<String, Cdr> byEvent = new HashMap<>();
    sent.forEach(cdr -> byEvent.put(cdr.eventId(), cdr));
    Map<Integer, Integer> callsByPrices = new HashMap<>();
    List<String> differences = new ArrayList<>();
    for (Charge row : installation.ledger()) {
      Cdr cdr = byEvent.remove(row.cdr().eventId());
      assertThat(cdr).as(row.cdr().eventId()).isNotNull();
      Expected expected = Expected.of(cdr, second, third);
      callsByPrices.merge(expected.prices(), 1, Integer::sum);
      if (row.rating().amount().compareTo(expected.amount()) != 0
          || row.rating().tariffVersion() != expected.version()
          || row.revision() != 0) {
        differences.add(row + " (expected: " + expected + ")");
      }
    }
    assertThat(differences).isEmpty();
    assertThat(byEvent).isEmpty();
    assertThat(callsByPrices.keySet())
        .as("calls at each price, over each change, and unanswered")
        .contains(0b001, 0b011, 0b010, 0b110, 0b100);
  }

  /** What a call costs second by second, as a bit for each price, and the last one's version. */
  private record Expected(BigDecimal amount, long version, int prices) {
    private static final List<BigDecimal> PRICES =
        List.of(new BigDecimal("0.60"), new BigDecimal("0.77"), new BigDecimal("1.01"));

    static Expected of(Cdr cdr, Instant second, Instant third) {
      BigDecimal minutes = BigDecimal.ZERO;
      int prices = 0;
      int last = priceAt(cdr.startMillis(), second, third);
      for (long millis = 0; millis < cdr.usage(); millis += 1000) {
        last = priceAt(cdr.startMillis() + millis, second, third);
        prices |= 1 << last;
        minutes = minutes.add(PRICES.get(last));
      }
      BigDecimal amount = minutes.divide(BigDecimal.valueOf(60), 4, RoundingMode.HALF_UP);
      return new Expected(amount, last + 1, prices);
    }

    private static int priceAt(long millis, Instant second, Instant third) {
      if (millis >= third.toEpochMilli()) {
        return 2;
      }
      return millis >= second.toEpochMilli() ? 1 : 0;
    }
  }

  private void sendCallsOfThisMoment() {
    String batch = "load-" + totals.size();
    send(batch, calls(batch, Instant.now(), CALLS_OF_A_BATCH));
  }

  // ------------------------------------------------------------------ publishers

  @Test
  void letsNoTwoPublishersInterleave() throws Exception {
    install("publishers", CLOSE_TO_NOW, price("0.60", SINCE, null));
    TariffTopic topic = topic();
    Instant change = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.HOURS);
    TariffBook cheap = book("cheap", change, "0.50");
    TariffBook dear = book("dear", change, "0.90");

    // The first has read the history when the second publishes: it must not publish after that.
    assertThatThrownBy(
            () ->
                topic.publish(
                    history -> {
                      Publication next = after(history, cheap);
                      publishWithin(after(history, dear));
                      return next;
                    },
                    publication -> true))
        .isInstanceOf(TariffTopic.OvertakenException.class);
    assertThat(newest().digest()).isEqualTo(dear.digest());
    assertThat(newest().version()).isEqualTo(2);

    // The same by the command line, at once and with whatever timing comes of it.
    List<String> accepted = new ArrayList<>();
    ExecutorService publishers = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 4; round++) {
        CountDownLatch ready = new CountDownLatch(2);
        List<Future<Optional<String>>> answers = new ArrayList<>();
        // Prices that were never published: whoever comes last has something new to say.
        for (String price : List.of("0.5" + round, "0.7" + round)) {
          Path tariffs =
              folder("at-" + price, price("0.60", SINCE, change), price(price, change, null));
          answers.add(publishers.submit(() -> publishAtOnce(tariffs, ready)));
        }
        List<String> digests = new ArrayList<>();
        for (Future<Optional<String>> answer : answers) {
          answer.get(1, TimeUnit.MINUTES).ifPresent(digests::add);
        }
        assertThat(digests).as("round " + round).isNotEmpty();
        accepted.addAll(digests);
      }
    } finally {
      publishers.shutdownNow();
    }
    TariffTopic.Contents contents = topic.read();
    assertThat(contents.faults()).isEmpty();
    List<TariffBook> books =
        contents.entries().stream().map(entry -> entry.book().orElseThrow()).toList();
    for (int i = 0; i < books.size(); i++) {
      assertThat(books.get(i).version()).isEqualTo(i + 1);
    }
    assertThat(books.stream().skip(2).map(book -> book.digest().substring(0, 16)))
        .as("each acceptance is a version, in some order, and nothing else is")
        .containsExactlyInAnyOrderElementsOf(accepted);
    Command show = tollgate("tariff", "show");
    assertThat(show.text()).contains("version " + books.size(), newest().digest());
  }

  /** Publishes what is new; returns the beginning of its digest if it was published. */
  private Optional<String> publishAtOnce(Path tariffs, CountDownLatch ready) throws Exception {
    ready.countDown();
    assertThat(ready.await(1, TimeUnit.MINUTES)).isTrue();
    Command publish = tollgate("tariff", "publish", tariffs.toString());
    if (publish.exitCode() == 0) {
      assertThat(publish.text()).contains("Published as version ", ", digest ");
      int digest = publish.text().indexOf("digest ") + "digest ".length();
      return Optional.of(publish.text().substring(digest, digest + 16));
    }
    assertThat(publish.text()).contains("Another publication began meanwhile", "Try again");
    return Optional.empty();
  }

  private static Publication after(
      io.tollgate.domain.tariff.TariffHistory history, TariffBook files) {
    return Publication.after(history, files, Instant.now().toEpochMilli());
  }

  private void publishWithin(Publication publication) {
    try {
      topic().publish(history -> publication, allowed -> true);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private TariffBook book(String name, Instant change, String price) throws IOException {
    Path files = folder(name, price("0.60", SINCE, change), price(price, change, null));
    return TariffDirectory.read(files).book().orElseThrow();
  }

  // ------------------------------------------------------------------ damage, and corrections

  @Test
  void keepsTheLastGoodBookWhenMessagesAreDamaged() throws Exception {
    install("damaged", CLOSE_TO_NOW, price("0.60", SINCE, null));
    String first = installation.submit(List.of(), "--fresh");
    installation.awaitState(first, "RUNNING");
    byte[] good = TariffBookCodec.encode(newest());
    byte[] flipped = good.clone();
    flipped[flipped.length / 2] ^= 1;
    put("2", flipped);
    put("3", Arrays.copyOf(good, good.length / 2));
    put("4", "version: 4".getBytes(StandardCharsets.US_ASCII));
    awaitInLogs("of topic damaged.tariffs is no tariff book and no correction", 3 * 2);

    Command history = tollgate("tariff", "history");
    assertThat(history.exitCode()).isEqualTo(1);
    assertThat(history.text().lines().filter(line -> line.startsWith("refused: offset ")))
        .hasSize(3);
    send("damaged", calls("damaged", Instant.now(), CALLS_OF_A_BATCH));
    installation.awaitOutcomes(totals, PATIENCE);
    String savepoint = installation.stop(first);
    String again = installation.submit(List.of("-s", savepoint));
    installation.awaitState(again, "RUNNING");
    send("restored", calls("restored", Instant.now(), CALLS_OF_A_BATCH));
    installation.awaitOutcomes(totals, PATIENCE);
    assertThat(installation.ledger())
        .hasSize(2 * CALLS_OF_A_BATCH)
        .allMatch(row -> row.rating().tariffVersion() == 1);

    // What comes after the damage counts again.
    publish(price("0.60", SINCE, null), "+33,France,0.80,1/1,2020-01-01,");
    awaitInLogs("Tariff book 2 (" + newest().digest(), 2);
    send("mended", callsTo("+33199000042", "mended", Instant.now(), 1));
    installation.awaitOutcomes(totals, PATIENCE);
    assertThat(installation.ledger())
        .filteredOn(row -> row.rating().tariffVersion() == 2)
        .singleElement()
        .extracting(row -> row.rating().prefix())
        .isEqualTo("+33");
  }

  @Test
  void writesTheCorrectedTotalBesideTheCharge() throws Exception {
    Instant from = Instant.now().minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.DAYS);
    Instant to = from.plus(Duration.ofHours(6));
    install("corrected", "", price("0.60", SINCE, null));
    String job = installation.submit(List.of(), "--fresh");
    installation.awaitState(job, "RUNNING");
    Instant within = from.plus(Duration.ofHours(3));
    Instant outside = from.plus(Duration.ofHours(12));
    send("early", callsTo("+49301", "early", within, CALLS_OF_A_BATCH));
    installation.awaitOutcomes(totals, PATIENCE);

    Path corrected =
        folder(
            "corrected",
            price("0.60", SINCE, from),
            price("0.90", from, to),
            price("0.60", to, null));
    Command refused = tollgate("tariff", "publish", corrected.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.text()).contains("Not published: it would change prices of the past");
    Command publish =
        tollgate(
            "tariff", "publish", corrected.toString(), "--correction", "--reason", "wrong price");
    assertThat(publish.exitCode()).as(publish.text()).isZero();
    assertThat(publish.text())
        .contains("Published as version 2", "Correction 1: prices from " + from);
    awaitInLogs("Correction 1 is in use: prices from " + from, 2);
    send("later", callsTo("+49302", "later", within, CALLS_OF_A_BATCH));
    send("beside", callsTo("+49303", "beside", outside, CALLS_OF_A_BATCH));
    installation.awaitOutcomes(totals, PATIENCE);

    List<Charge> rows = installation.ledger();
    assertThat(rows)
        .filteredOn(row -> row.revision() == 0)
        .hasSize(3 * CALLS_OF_A_BATCH)
        .allMatch(row -> row.rating().tariffVersion() == introducedBy(row))
        .allMatch(row -> costs("0.60", row));
    assertThat(rows)
        .filteredOn(row -> row.revision() != 0)
        .as("a total of 0 stays 0, which adds no row")
        .hasSize((int) sent.stream().filter(isAnsweredOf("later")).count())
        .allMatch(row -> row.revision() == 1 && row.cdr().eventId().startsWith("later/"))
        .allMatch(row -> row.rating().tariffVersion() == 2)
        .allMatch(row -> costs("0.90", row));

    Command history = tollgate("tariff", "history");
    assertThat(history.exitCode()).isZero();
    assertThat(history.text())
        .contains("correction 1 at ", "wrong price", "prices from " + from + " to " + to)
        .contains("charges of these hours wait for a rerate: ");
    JsonNode json = new ObjectMapper().readTree(tollgate("tariff", "history", "--json").text());
    JsonNode entry = json.at("/corrections/0");
    assertThat(entry.get("from").asText()).isEqualTo(from.toString());
    assertThat(entry.get("lastHour").asText()).isEqualTo(to.minus(Duration.ofHours(1)).toString());
  }

  private static Predicate<Cdr> isAnsweredOf(String batch) {
    return cdr -> cdr.eventId().startsWith(batch + "/") && cdr.usage() > 0;
  }

  /** The correction's book also brought the row that holds from the end of its interval on. */
  private static long introducedBy(Charge row) {
    return row.cdr().eventId().startsWith("beside/") ? 2 : 1;
  }

  private static boolean costs(String perMinute, Charge row) {
    long seconds = (row.cdr().usage() + 999) / 1000;
    BigDecimal expected =
        new BigDecimal(perMinute)
            .multiply(BigDecimal.valueOf(seconds))
            .divide(BigDecimal.valueOf(60), 4, RoundingMode.HALF_UP);
    return row.rating().amount().compareTo(expected) == 0;
  }

  // ------------------------------------------------------------------ the page

  /** Everything that the page says must be typed is typed, and does what it says. */
  @Test
  void makesAPlanFromNothingAsTheReadmeTeaches() throws Exception {
    installation =
        new Installation(
            STACK.stack(),
            STACK.folder(),
            "readme",
            "",
            DemoConfiguration.RATING_ALONE,
            Optional.empty());
    String job = installation.submit(List.of(), "--fresh");
    installation.awaitState(job, "RUNNING");
    Path folder = installation.configFile().getParent();
    ReadmeSteps steps =
        new ReadmeSteps(
            Installation.HOME.resolve("tariffs/README.md"), "A plan from nothing", folder);
    List<String> tariffs =
        List.of("plans/hello/plan.yaml", "plans/hello/rates.csv", "assignments.csv", "golden.csv");
    List<String> files = new ArrayList<>(tariffs);
    files.add("calls.json");
    assertThat(steps.writeFiles("tariffs", tariffs)).containsExactlyElementsOf(files);

    List<String> said =
        List.of(
            "0 errors, 0 warnings",
            "any time 61000 x 0.05/60000 = 0.050833333333333",
            "2 priced, 0 bad lines, 0.29 EUR",
            "Published as version 1",
            "2",
            "2 charges, 0.29 EUR",
            "1",
            "plan hello: EUR, Europe/Berlin");
    List<String> commands = steps.commands();
    assertThat(commands).hasSameSizeAs(said);
    for (int i = 0; i < commands.size(); i++) {
      int next = i;
      String expected = said.get(i);
      if (expected.contains(" ") && !expected.startsWith("plan ")) {
        assertThat(steps.says(expected)).as(expected).isTrue();
      }
      await(commands.get(i))
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> answers(steps, commands.get(next), expected));
    }
  }

  private static boolean answers(ReadmeSteps steps, String command, String expected)
      throws Exception {
    Answer answer = steps.run(command);
    return answer.text().replaceAll(" +", " ").contains(expected);
  }

  // ------------------------------------------------------------------ the installation

  private void install(String name, String rating, String... rates) throws Exception {
    installation =
        new Installation(
            STACK.stack(),
            STACK.folder(),
            name,
            rating,
            DemoConfiguration.RATING_ALONE + (rating.isEmpty() ? "" : LEAD),
            Optional.of(folder(name + "-1", rates)));
  }

  private void publish(String... rates) throws Exception {
    TariffPublication.publish(installation.config(), folder("published", rates));
  }

  private static Path folder(String name, String... rates) throws IOException {
    return TariffFolder.write(STACK.folder().resolve("tariff-files").resolve(name), List.of(rates));
  }

  /** Returns a line of rates.csv by the second. */
  private static String price(String perMinute, Instant from, Instant to) {
    return GERMANY + perMinute + ",1/1," + from + "," + (to == null ? "" : to);
  }

  private static Instant ahead() {
    return Instant.now().plus(AHEAD).truncatedTo(ChronoUnit.SECONDS);
  }

  private static void awaitMoment(Instant moment) {
    await("it is " + moment)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !Instant.now().isBefore(moment));
  }

  private TariffTopic topic() {
    return new TariffTopic(
        installation.config().kafka().clientProperties(),
        installation.config().kafka().topics().tariffs());
  }

  private TariffBook newest() {
    return topic().read().history().newest().orElseThrow();
  }

  /** Puts a message beside what the publisher writes, as only an accident would. */
  private void put(String key, byte[] value) throws Exception {
    Properties client = installation.config().kafka().clientProperties();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      String topic = installation.config().kafka().topics().tariffs();
      producer
          .send(new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.US_ASCII), value))
          .get();
    }
  }

  /** Waits until the TaskManagers have written lines with {@code text} about this installation. */
  private void awaitInLogs(String text, int lines) {
    await(lines + " lines of '" + text + "'")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> linesInLogs(text) >= lines);
  }

  private static long linesInLogs(String text) throws IOException {
    long found = 0;
    for (Server taskManager : STACK.stack().taskManagers()) {
      try (var lines = Files.lines(taskManager.logFile())) {
        found += lines.filter(line -> line.contains(text)).count();
      }
    }
    return found;
  }

  private record Command(int exitCode, String text) {}

  private Command tollgate(String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("--config", installation.configFile().toString()));
    int exitCode =
        Tollgate.commandLine().setOut(out).setErr(out).execute(line.toArray(String[]::new));
    return new Command(exitCode, text.toString());
  }

  // ------------------------------------------------------------------ calls

  private static List<Cdr> calls(String batch, Instant latestEnd, int count) {
    return callsTo("+493023125017", batch, latestEnd, count);
  }

  /** Makes calls that ended shortly before a moment; some of them were not answered. */
  private static List<Cdr> callsTo(String called, String batch, Instant latestEnd, int count) {
    SplittableRandom random = new SplittableRandom(batch.hashCode());
    List<Cdr> calls = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long usage = i % 10 == 9 ? 0 : 1 + random.nextInt(MAX_CALL_SECONDS * 1000);
      calls.add(
          new Cdr(
              batch + "/" + i,
              "account-" + random.nextInt(50),
              UsageType.VOICE,
              "",
              called,
              latestEnd.toEpochMilli() - usage - random.nextInt(1000),
              0,
              usage,
              "",
              Map.of(),
              "",
              ""));
    }
    return calls;
  }

  private void send(String batch, List<Cdr> calls) {
    try (WatchedOutbox outbox = installation.outbox()) {
      outbox.announce(new BatchAnnounced("test", batch, batch, 0, 1));
      long usage = 0;
      for (int seq = 0; seq < calls.size(); seq++) {
        outbox.send(new OutgoingRecord(seq, "", new OutgoingRecord.Good(calls.get(seq), false)));
        usage += calls.get(seq).usage();
      }
      outbox.close(
          new ControlTotal(
              "test",
              batch,
              batch,
              calls.size(),
              0,
              Map.of(UsageType.VOICE, usage),
              outbox.awaitAcknowledged()));
      sent.addAll(calls);
      totals.addAll(outbox.totals());
    }
  }
}
