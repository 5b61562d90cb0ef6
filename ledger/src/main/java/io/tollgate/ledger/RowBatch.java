package io.tollgate.ledger;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Rows of one partition that travel in one request. Not changed any more once it is sent. */
final class RowBatch {
  private final int usageHour;
  private final int bucket;
  private final List<Row> rows = new ArrayList<>();
  private int bytes;

  RowBatch(int usageHour, int bucket) {
    this.usageHour = usageHour;
    this.bucket = bucket;
  }

  void add(Row row) {
    rows.add(row);
    bytes += row.bytes();
  }

  int usageHour() {
    return usageHour;
  }

  int bucket() {
    return bucket;
  }

  List<Row> rows() {
    return rows;
  }

  int bytes() {
    return bytes;
  }

  /**
   * A row as it is sent, and sent again.
   *
   * @param timestamp write timestamp: given once, kept through all retries
   */
  record Row(String accountId, String eventId, long revision, ByteBuffer cell, long timestamp) {
    // Key columns of fixed size, the timestamp, and their lengths on the wire.
    private static final int FIXED_BYTES = 64;

    /** Returns about how many bytes the row takes in a request. */
    int bytes() {
      return cell.remaining() + accountId.length() + eventId.length() + FIXED_BYTES;
    }
  }
}
