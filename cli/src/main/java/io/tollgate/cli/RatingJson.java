package io.tollgate.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.rating.Rating;
import java.time.Instant;

/** A rating with its explanation as JSON; amounts are strings, so that nothing rounds them. */
final class RatingJson {
  private RatingJson() {}

  static ObjectNode of(Cdr cdr, Rating rating) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("eventId", cdr.eventId());
    node.put("accountId", cdr.accountId());
    node.put("usageType", cdr.usageType().name());
    node.put("called", cdr.called());
    node.put("start", Instant.ofEpochMilli(cdr.startMillis()).toString());
    node.put("usage", cdr.usage());
    if (rating instanceof Rating.Unpriced unpriced) {
      node.put("priced", false);
      node.put("reason", unpriced.reason().name());
      node.put("detail", unpriced.detail());
      return node;
    }
    Rating.Priced priced = (Rating.Priced) rating;
    node.put("priced", true);
    node.put("amount", priced.amount().toPlainString());
    node.put("currency", priced.currency());
    node.put("unroundedAmount", priced.unroundedAmount().toPlainString());
    node.put("plan", priced.plan());
    node.put("tariffVersion", priced.tariffVersion());
    node.put("prefix", priced.prefix());
    node.put("destination", priced.destination());
    node.put("chargedUsage", priced.chargedUsage());
    ArrayNode steps = node.putArray("steps");
    for (Rating.Step step : priced.steps()) {
      ObjectNode line = steps.addObject();
      line.put("what", step.what());
      line.put("usage", step.usage());
      line.put("rate", step.rate().toPlainString());
      line.put("per", step.per());
      line.put("amount", step.amount().toPlainString());
    }
    return node;
  }
}
