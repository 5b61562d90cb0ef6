package io.tollgate.settlement;

/** Says that the schema could not be brought about. */
public final class SettlementSchemaException extends RuntimeException {
  SettlementSchemaException(String url, Exception cause) {
    super(
        "PostgreSQL at "
            + url
            + ": the schema cannot be migrated (expected: a reachable database whose user may make"
            + " tables): "
            + cause.getMessage(),
        cause);
  }
}
