package io.tollgate.cli;

import io.tollgate.ledger.LedgerSchema;
import io.tollgate.ledger.LedgerSession;
import io.tollgate.ledger.gate.Difference;
import io.tollgate.ledger.gate.Halt;
import io.tollgate.ledger.gate.HaltLog;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./tollgate halt raise}: an operator's own emergency stop. */
@Command(
    name = "raise",
    mixinStandardHelpOptions = true,
    description = {
      "Halt charging by hand. The rating job stops within two seconds and keeps its place; nothing"
          + " is lost. It goes on after './tollgate halt acknowledge'."
    })
final class HaltRaiseCommand implements Callable<Integer> {
  static final String KIND = "MANUAL";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private Person person = new Person();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      converter = Amounts.Words.class,
      description = "Why, for others")
  private String reason = "";

  @Override
  public Integer call() throws InterruptedException {
    String id = "manual-" + UUID.randomUUID();
    Halt halt =
        new Halt(
            id, reason, person.name(), Instant.now(), List.of(new Difference("1", KIND, reason)));
    try (LedgerSession session = LedgerSession.open(Provision.connection(config.find().config()))) {
      LedgerSchema.verify(session);
      new HaltLog(session).raise(halt);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("Charging is halted: " + id);
    out.println(
        "Let it go on: ./tollgate halt acknowledge " + id + " --resolve write-off --reason TEXT");
    out.flush();
    return 0;
  }
}
