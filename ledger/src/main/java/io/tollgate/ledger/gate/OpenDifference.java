package io.tollgate.ledger.gate;

/** A difference that keeps the gate closed, as one element of the static column. */
record OpenDifference(String haltId, String differenceId) {
  private static final char SEPARATOR = '/';

  String encoded() {
    return haltId + SEPARATOR + differenceId;
  }

  /** Reads an element; ids of halts contain no separator. */
  static OpenDifference decode(String encoded) {
    int end = encoded.indexOf(SEPARATOR);
    return new OpenDifference(encoded.substring(0, end), encoded.substring(end + 1));
  }
}
