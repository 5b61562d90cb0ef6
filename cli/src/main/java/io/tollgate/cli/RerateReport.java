package io.tollgate.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.reconcile.UsageHours;
import io.tollgate.settlement.Rerates;
import io.tollgate.settlement.Rerates.Group;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a rerate did, and what its corrections change.
 *
 * @param run the run
 * @param sums by currency
 * @param accounts accounts for which most changes
 * @param destinations destinations for which most changes
 */
record RerateReport(
    Rerates.Run run,
    List<Rerates.Total> sums,
    List<Rerates.Total> accounts,
    List<Rerates.Total> destinations) {
  private static final int SHOWN = 20;
  private static final int CURRENCIES = 1_000;

  static Optional<RerateReport> read(TollgateConfig config, String run) {
    return PostgresOfConfig.with(
        config,
        connection -> {
          Rerates rerates = new Rerates(connection);
          Optional<Rerates.Run> found = rerates.find(run);
          return found.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new RerateReport(
                      found.get(),
                      rerates.totals(run, Group.CURRENCY, CURRENCIES),
                      rerates.totals(run, Group.ACCOUNT, SHOWN),
                      rerates.totals(run, Group.DESTINATION, SHOWN)));
        });
  }

  static String state(Rerates.Run run) {
    return run.isFinished()
        ? "done at " + Instant.ofEpochMilli(run.finishedMillis())
        : run.progress().unitsDone() + " of " + run.order().units() + " parts";
  }

  void print(PrintWriter out, boolean json) throws JsonProcessingException {
    if (json) {
      out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(json()));
    } else {
      print(out);
    }
    out.flush();
  }

  private void print(PrintWriter out) {
    Rerates.Order order = run.order();
    Rerates.Progress progress = run.progress();
    out.println();
    out.println(
        "Run "
            + order.run()
            + ": hours "
            + UsageHours.text(order.firstHour())
            + " to "
            + UsageHours.text(order.lastHour())
            + ", correction "
            + order.toCorrection()
            + (order.accounts().isEmpty() ? "" : ", accounts " + order.accounts())
            + "; "
            + state(run));
    out.println("For " + order.by() + ": " + order.reason());
    out.printf(
        Locale.ROOT,
        "%,d charges read; %,d revisions %s.%n",
        progress.charges(),
        progress.missing(),
        order.dryRun() ? "would be written (dry run)" : "were missing and are written");
    if (sums.isEmpty()) {
      out.println("What is owed does not change.");
      return;
    }
    out.println("What the corrections after " + order.fromCorrection() + " change:");
    out.printf(
        Locale.ROOT,
        "  %-32s %4s %12s %18s %18s %18s%n",
        "",
        "",
        "charges",
        "before",
        "after",
        "difference");
    sums.forEach(sum -> row(out, "all", sum));
    out.println("by account" + most(accounts));
    accounts.forEach(sum -> row(out, sum.account(), sum));
    out.println("by destination" + most(destinations));
    destinations.forEach(sum -> row(out, sum.destination(), sum));
  }

  private static String most(List<Rerates.Total> totals) {
    return totals.size() < SHOWN ? "" : ", the " + SHOWN + " that change most";
  }

  private static void row(PrintWriter out, String name, Rerates.Total sum) {
    out.printf(
        Locale.ROOT,
        "  %-32s %4s %,12d %18s %18s %18s%n",
        name,
        sum.currency(),
        sum.charges(),
        sum.before().toPlainString(),
        sum.after().toPlainString(),
        sum.after().subtract(sum.before()).toPlainString());
  }

  private ObjectNode json() {
    Rerates.Order order = run.order();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("run", order.run())
        .put("started", Instant.ofEpochMilli(order.startedMillis()).toString())
        .put("by", order.by())
        .put("reason", order.reason())
        .put("firstHour", UsageHours.text(order.firstHour()))
        .put("lastHour", UsageHours.text(order.lastHour()))
        .put("fromCorrection", order.fromCorrection())
        .put("toCorrection", order.toCorrection())
        .put("dryRun", order.dryRun())
        .put("finished", run.isFinished())
        .put("units", order.units())
        .put("unitsDone", run.progress().unitsDone())
        .put("charges", run.progress().charges())
        .put("missingRevisions", run.progress().missing());
    order.accounts().forEach(root.putArray("accounts")::add);
    add(root.putArray("sums"), sums);
    add(root.putArray("byAccount"), accounts);
    add(root.putArray("byDestination"), destinations);
    return root;
  }

  private static void add(ArrayNode array, List<Rerates.Total> totals) {
    for (Rerates.Total total : totals) {
      ObjectNode node = array.addObject();
      if (!total.account().isEmpty()) {
        node.put("account", total.account());
      }
      if (!total.destination().isEmpty()) {
        node.put("destination", total.destination());
      }
      node.put("currency", total.currency())
          .put("charges", total.charges())
          .put("before", total.before().toPlainString())
          .put("after", total.after().toPlainString());
    }
  }
}
