package io.tollgate.ingest.format;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.wire.CdrJson;
import io.tollgate.wire.UnreadableException;
import java.util.List;

/**
 * One canonical CDR as JSON per line. Taken as it stands: ids, numbers and times are canonical
 * already.
 */
final class TollgateJsonParser implements RecordParser {
  /** No clock here: how far ahead a start may lie is judged against the broker's clock later. */
  private static final long NO_CLOCK_MILLIS = Long.MAX_VALUE / 2;

  @Override
  public Parsed parse(Frame frame) {
    return RecordParser.parseKind(frame, this::read);
  }

  @Override
  public String columns() {
    return "";
  }

  @Override
  public List<String> shapeFaults(Frame frame) {
    return read(frame.content()) instanceof Parsed.BadLine bad ? bad.faults() : List.of();
  }

  private Parsed read(byte[] content) {
    try {
      Cdr cdr = CdrJson.decode(content);
      List<String> violations = CdrRules.violations(cdr, NO_CLOCK_MILLIS, 0);
      return violations.isEmpty() ? new Parsed.Call(cdr, false) : new Parsed.BadLine(violations);
    } catch (UnreadableException e) {
      return new Parsed.BadLine(List.of(e.detail()));
    }
  }
}
