package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.ledger.gate.RecordedHalt;
import io.tollgate.settlement.Operations;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate savepoint drop}. */
@Command(
    name = "drop",
    mixinStandardHelpOptions = true,
    description = {
      "Delete the files of a savepoint. Refused while an open halt names it: the job goes on from"
          + " it when the halt is resolved.",
      "Exit code 1 if it is refused or cannot be deleted."
    })
final class SavepointDropCommand implements Callable<Integer> {
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ConfigOption config = new ConfigOption();
  @Mixin private Person person = new Person();

  @Parameters(paramLabel = "SAVEPOINT", description = "Where it lies, as the list names it.")
  private String path = "";

  @Override
  public Integer call() throws InterruptedException {
    TollgateConfig settings = config.find().config();
    for (RecordedHalt halt : SavepointListCommand.openHalts(settings)) {
      if (halt.savepoints().stream().anyMatch(savepoint -> isSame(savepoint.path(), path))) {
        throw new IllegalStateException(
            "Halt " + halt.halt().id() + " is open and names it (expected: resolved first)");
      }
    }
    new FlinkCluster(settings.flink().rest()).dispose(path);
    PostgresOfConfig.with(
        settings,
        connection -> {
          new Operations(connection).dropped(path, person.name(), clock.millis());
          return path;
        });
    PrintWriter out = spec.commandLine().getOut();
    out.println("Dropped: " + path);
    out.flush();
    return 0;
  }

  /** A path with and without the scheme of the file system is the same. */
  static boolean isSame(String one, String other) {
    return withoutScheme(one).equals(withoutScheme(other));
  }

  private static String withoutScheme(String path) {
    return path.replaceFirst("^file:/*", "/").replaceFirst("/+$", "");
  }
}
