package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import io.tollgate.source.SavepointContents;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate savepoint inspect}. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Look into a savepoint or a retained checkpoint: when it was taken, its operators and their"
          + " state, where it would read on, and whether the topic still reaches back so far.",
      "Exit code 3 if the topic does not reach back, 1 if the savepoint cannot be read."
    })
final class SavepointInspectCommand implements Callable<Integer> {
  private static final int TOPIC_TOO_SHORT = 3;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();

  @Parameters(paramLabel = "SAVEPOINT", description = "Where it lies.")
  private String path = "";

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException, JsonProcessingException {
    TollgateConfig settings = config.find().config();
    SavepointContents contents = read(path);
    TopicReach reach = TopicReach.of(settings, contents);
    boolean isOfRating = contents.positions().containsKey(settings.kafka().topics().cdr());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          new ObjectMapper()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(toJson(contents, reach, isOfRating)));
    } else {
      print(out, contents, reach, isOfRating);
    }
    out.flush();
    return isOfRating && !reach.gone().isEmpty() ? TOPIC_TOO_SHORT : 0;
  }

  /** Reads a savepoint, or says in words for people why that cannot be done. */
  static SavepointContents read(String path) {
    try {
      return SavepointContents.read(path);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          path + ": no savepoint that can be read from here: " + e.getMessage(), e);
    }
  }

  private static void print(
      PrintWriter out, SavepointContents contents, TopicReach reach, boolean isOfRating) {
    out.printf(
        Locale.ROOT,
        "%s%n%s, taken at %s, %,d bytes%n",
        contents.path(),
        contents.format(),
        contents.takenAt(),
        contents.bytes());
    contents
        .operators()
        .forEach(
            operator ->
                out.printf(
                    Locale.ROOT,
                    "  %-34s %4d subtasks %,16d bytes%n",
                    operator.uid(),
                    operator.parallelism(),
                    operator.bytes()));
    if (!isOfRating) {
      out.println("It has no positions in the topic of CDRs: not of the rating job.");
      return;
    }
    out.printf(
        Locale.ROOT,
        "  %9s %14s %14s %14s %14s%n",
        "partition",
        "reads on at",
        "topic begins",
        "topic ends",
        "read again");
    reach
        .partitions()
        .forEach(
            (number, partition) ->
                out.printf(
                    Locale.ROOT,
                    "  %9d %,14d %,14d %,14d %,14d%n",
                    number,
                    partition.position(),
                    partition.begin(),
                    partition.end(),
                    partition.again()));
    List<String> gone = reach.gone();
    if (gone.isEmpty()) {
      out.printf(
          Locale.ROOT, "The topic reaches back; %,d records would be read again.%n", reach.again());
    } else {
      out.println("The topic no longer reaches back:");
      gone.forEach(line -> out.println("  " + line));
    }
  }

  private static ObjectNode toJson(
      SavepointContents contents, TopicReach reach, boolean isOfRating) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("path", contents.path())
        .put("format", contents.format())
        .put("taken", contents.takenAt().toString())
        .put("bytes", contents.bytes());
    ArrayNode operators = root.putArray("operators");
    contents
        .operators()
        .forEach(
            operator ->
                operators
                    .addObject()
                    .put("uid", operator.uid())
                    .put("parallelism", operator.parallelism())
                    .put("bytes", operator.bytes()));
    if (isOfRating) {
      ArrayNode partitions = root.putArray("partitions");
      reach
          .partitions()
          .forEach(
              (number, partition) ->
                  partitions
                      .addObject()
                      .put("partition", number)
                      .put("position", partition.position())
                      .put("begin", partition.begin())
                      .put("end", partition.end())
                      .put("again", partition.again()));
      root.put("recordsAgain", reach.again()).put("reachesBack", reach.gone().isEmpty());
    }
    return root;
  }
}
