package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tollgate.config.TollgateConfig;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.HaltLog;
import io.tollgate.ledger.gate.HaltSavepoint;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.settlement.Operations;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tollgate savepoint list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description =
        "List the savepoints that were taken by command and not dropped, the newest first, and"
            + " those that open halts name.")
final class SavepointListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private ListLimit limit = new ListLimit();

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    int most = limit.value(spec.commandLine());
    TollgateConfig settings = config.find().config();
    List<Operations.Savepoint> savepoints =
        PostgresOfConfig.with(settings, connection -> new Operations(connection).savepoints(most));
    List<RecordedHalt> halts = openHalts(settings);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      print(out, savepoints, halts);
    } else {
      for (RecordedHalt halt : halts) {
        for (HaltSavepoint savepoint : halt.savepoints()) {
          out.println("of open halt " + halt.halt().id() + ": " + savepoint.path());
        }
      }
      for (Operations.Savepoint savepoint : savepoints) {
        out.println(
            Instant.ofEpochMilli(savepoint.takenMillis())
                + "  "
                + savepoint.jobName()
                + "  "
                + savepoint.path()
                + "  "
                + savepoint.by()
                + ": "
                + savepoint.reason());
      }
      if (savepoints.isEmpty()) {
        out.println("No savepoint was taken by command.");
      }
    }
    out.flush();
    return 0;
  }

  static List<RecordedHalt> openHalts(TollgateConfig settings) throws InterruptedException {
    try (LedgerSession session = LedgerSession.open(Provision.connection(settings))) {
      return new HaltLog(session).open();
    }
  }

  private static void print(
      PrintWriter out, List<Operations.Savepoint> savepoints, List<RecordedHalt> halts)
      throws JsonProcessingException {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (RecordedHalt halt : halts) {
      for (HaltSavepoint savepoint : halt.savepoints()) {
        array.addObject().put("path", savepoint.path()).put("halt", halt.halt().id());
      }
    }
    for (Operations.Savepoint savepoint : savepoints) {
      array
          .addObject()
          .put("path", savepoint.path())
          .put("job", savepoint.jobName())
          .put("taken", Instant.ofEpochMilli(savepoint.takenMillis()).toString())
          .put("by", savepoint.by())
          .put("reason", savepoint.reason());
    }
    out.println(
        new ObjectMapper()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(JsonNodeFactory.instance.objectNode().set("savepoints", array)));
  }
}
