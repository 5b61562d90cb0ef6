package io.tollgate.ledger;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The user-defined types that hold a charge in one cell. Fields keep their place for ever; new ones
 * are only added at the end, so that older rows stay readable.
 */
final class ChargeType {
  static final String NAME = "charge";
  static final String STEP_NAME = "charge_step";

  /** Fields in the order of their bytes; {@link ChargeCodec} writes and reads them so. */
  static final List<Field> FIELDS =
      List.of(
          new Field("start", "timestamp"),
          new Field("utc_offset_seconds", "int"),
          new Field("usage_type", "text"),
          new Field("calling", "text"),
          new Field("called", "text"),
          new Field("calling_original", "text"),
          new Field("called_original", "text"),
          new Field("usage", "bigint"),
          new Field("cause", "text"),
          new Field("attributes", "frozen<map<text, text>>"),
          new Field("fingerprint", "bigint"),
          new Field("source", "text"),
          new Field("batch_id", "text"),
          new Field("batch_seq", "bigint"),
          new Field("kafka_partition", "int"),
          new Field("kafka_offset", "bigint"),
          new Field("append_time", "timestamp"),
          new Field("late", "boolean"),
          new Field("plan", "text"),
          new Field("tariff_version", "bigint"),
          new Field("prefix", "text"),
          new Field("destination", "text"),
          new Field("charged_usage", "bigint"),
          new Field("steps", "frozen<list<frozen<" + STEP_NAME + ">>>"),
          new Field("unrounded_amount", "decimal"),
          new Field("amount", "decimal"),
          new Field("currency", "text"));

  /** Fields of one step of a charge. */
  static final List<Field> STEP_FIELDS =
      List.of(
          new Field("what", "text"),
          new Field("usage", "bigint"),
          new Field("rate", "decimal"),
          new Field("per", "bigint"),
          new Field("amount", "decimal"));

  private ChargeType() {}

  static String columns(List<Field> fields) {
    return fields.stream()
        .map(field -> field.name() + " " + field.cqlType())
        .collect(Collectors.joining(", "));
  }

  /** A field and its CQL type. */
  record Field(String name, String cqlType) {}
}
