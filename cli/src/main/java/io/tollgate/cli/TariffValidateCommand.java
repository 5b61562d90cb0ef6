package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.domain.tariff.TariffBook;
import io.tollgate.pricing.Problem;
import io.tollgate.pricing.TariffCheck;
import io.tollgate.pricing.TariffDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tollgate tariff validate}: every problem of all tariff files. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = {
      "Lists every problem of all tariff files, with file, line, column, value and rule.",
      "Exit code 0 if there is no error; warnings alone do not count."
    })
final class TariffValidateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = "tariffs",
      description = "Directory of the files (default: ./tariffs).")
  private Path directory = Path.of("tariffs");

  @Option(names = "--json", description = "Print one JSON object, for programs.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    TariffCheck check = TariffDirectory.read(directory);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(toJson(check)));
    } else {
      check.problems().forEach(out::println);
      out.println(summary(check));
    }
    out.flush();
    return check.errors().isEmpty() ? 0 : 1;
  }

  private static String summary(TariffCheck check) {
    String counts = check.errors().size() + " errors, " + check.warnings().size() + " warnings";
    return check
        .book()
        .map(
            book ->
                book.plans().size()
                    + " plans, "
                    + rates(book)
                    + " rates, "
                    + book.assignments().size()
                    + " assignments, "
                    + check.goldenCases()
                    + " golden cases: "
                    + counts
                    + ", digest "
                    + book.digest().substring(0, 16))
        .orElse(counts);
  }

  private static int rates(TariffBook book) {
    return book.plans().stream().mapToInt(plan -> plan.rates().size()).sum();
  }

  private static ObjectNode toJson(TariffCheck check) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("good", check.errors().isEmpty());
    root.put("errors", check.errors().size());
    root.put("warnings", check.warnings().size());
    root.put("goldenCases", check.goldenCases());
    check
        .book()
        .ifPresent(
            book -> {
              root.put("plans", book.plans().size());
              root.put("rates", rates(book));
              root.put("digest", book.digest());
            });
    ArrayNode problems = root.putArray("problems");
    for (Problem problem : check.problems()) {
      ObjectNode node = problems.addObject();
      node.put("severity", problem.severity().name().toLowerCase(Locale.ROOT));
      node.put("file", problem.file());
      node.put("line", problem.line());
      node.put("column", problem.column());
      node.put("field", problem.field());
      node.put("value", problem.value());
      node.put("rule", problem.rule());
    }
    return root;
  }
}
