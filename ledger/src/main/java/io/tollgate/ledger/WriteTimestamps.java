package io.tollgate.ledger;

/**
 * The timestamps under which rows are written: negative and falling, so that of two writes of a row
 * the earlier has the greater timestamp and stands, while an ordinary DELETE, whose timestamp is
 * positive, still deletes.
 *
 * <p>Row n of writer w gets {@code -((w << 40) | n)}. No clock is in it: the order of writers is
 * the order in which they took their numbers. A writer that has used up its 2^40 rows takes another
 * number.
 */
final class WriteTimestamps {
  static final int ROW_BITS = 40;
  private static final long ROWS_PER_NUMBER = 1L << ROW_BITS;
  private static final long LARGEST_NUMBER = (1L << (Long.SIZE - 1 - ROW_BITS)) - 1;

  private final NumberSource numbers;
  private final long rowsPerNumber;
  private long number;
  private long nextRow;

  /** Gives writer numbers, each once, in rising order. */
  interface NumberSource {
    long take() throws InterruptedException;
  }

  WriteTimestamps(NumberSource numbers) throws InterruptedException {
    this(numbers, ROWS_PER_NUMBER);
  }

  /**
   * @param rowsPerNumber rows after which another number is taken; at most 2^40
   */
  WriteTimestamps(NumberSource numbers, long rowsPerNumber) throws InterruptedException {
    this.numbers = numbers;
    this.rowsPerNumber = rowsPerNumber;
    takeNumber();
  }

  /** Returns the timestamp of the next row. */
  long next() throws InterruptedException {
    if (nextRow == rowsPerNumber) {
      takeNumber();
    }
    return -((number << ROW_BITS) | nextRow++);
  }

  /** Returns the number that rows are written under now. */
  long writerNumber() {
    return number;
  }

  private void takeNumber() throws InterruptedException {
    number = numbers.take();
    if (number < 1 || number > LARGEST_NUMBER) {
      throw new LedgerException(
          "writer number: " + number + " (expected: 1 to " + LARGEST_NUMBER + ")");
    }
    nextRow = 0;
  }
}
