package io.tollgate.ingest.format;

import io.tollgate.domain.cdr.CdrRules;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * FreeSWITCH {@code mod_cdr_csv}: the 15 columns of the template {@code example}, or declared ones
 * with the same names. Stamps carry no zone. Each leg of a call is a row; which one, {@link
 * FreeSwitchLegs} knows, or a declared column {@code direction} ({@code inbound} is the a leg).
 */
final class FreeSwitchCsvParser implements RecordParser {
  private static final List<String> EXAMPLE =
      List.of(
          "caller_id_name",
          "caller_id_number",
          "destination_number",
          "context",
          "start_stamp",
          "answer_stamp",
          "end_stamp",
          "duration",
          "billsec",
          "hangup_cause",
          "uuid",
          "bleg_uuid",
          "accountcode",
          "read_codec",
          "write_codec");
  private static final int MIN_CAUSE_LENGTH = 3;

  private final SourceProfile profile;
  private final CallAssembler assembler;
  private final CsvLayout layout;
  private final FreeSwitchLegs legs;

  FreeSwitchCsvParser(SourceProfile profile, FreeSwitchLegs legs) {
    this.profile = profile;
    this.assembler = new CallAssembler(profile);
    this.layout = layoutOf(profile);
    this.legs = legs;
  }

  static CsvLayout layoutOf(SourceProfile profile) {
    return CsvLayout.of(profile.columns().isEmpty() ? EXAMPLE : profile.columns());
  }

  @Override
  public Parsed parse(Frame frame) {
    return RecordParser.parseKind(frame, this::read);
  }

  @Override
  public String columns() {
    return layout.header();
  }

  @Override
  public List<String> shapeFaults(Frame frame) {
    if (frame.kind() != Frame.Kind.RECORD) {
      return List.of("form: quotes not balanced (expected: comma-separated fields)");
    }
    List<String> fields = CsvFields.split(Row.decode(frame.content()));
    if (fields.size() != layout.names().size()) {
      return List.of(countFault(fields.size()));
    }
    String cause = layout.row(fields).stripped("hangup_cause");
    return isCause(cause)
        ? List.of()
        : List.of(
            "hangup_cause: '"
                + CdrRules.shown(cause)
                + "' (expected: a cause such as NORMAL_CLEARING)");
  }

  private Parsed read(byte[] content) {
    List<String> fields = CsvFields.split(Row.decode(content));
    if (fields.size() != layout.names().size()) {
      return new Parsed.BadLine(List.of(countFault(fields.size())));
    }
    Row row = layout.row(fields);
    if (!isChargedLeg(row)) {
      return new Parsed.NonRecord(OTHER_LEG);
    }
    String account = row.required(assembler.accountColumn("accountcode"), "the account to charge");
    String cause = row.required("hangup_cause", "a cause such as NORMAL_CLEARING");
    long durationSeconds = row.whole("duration", "seconds");
    long billsecSeconds = row.whole("billsec", "seconds");
    long usageMillis = layout.has("billmsec") ? row.whole("billmsec", "ms") : billsecSeconds * 1000;
    if (row.isWholeAt("duration") && billsecSeconds > durationSeconds + 1) {
      row.fault("billsec", row.stripped("billsec"), "at most the duration, " + durationSeconds);
    }
    LocalTimes.Moments moments =
        assembler
            .times()
            .resolve(
                row,
                "start_stamp",
                "answer_stamp",
                "end_stamp",
                durationSeconds,
                billsecSeconds,
                OptionalLong.empty());
    if (moments == null) {
      return new Parsed.BadLine(List.copyOf(row.faults()));
    }
    CallAssembler.checkOrder(row, moments, "answer_stamp", "end_stamp", "billsec", usageMillis);
    return assembler.assemble(
        row,
        new CallAssembler.Call(
            row.stripped("uuid"),
            account,
            row.stripped("caller_id_number"),
            row.stripped("destination_number"),
            moments,
            usageMillis,
            cause,
            Map.of("context", row.stripped("context"))));
  }

  private boolean isChargedLeg(Row row) {
    return switch (profile.legs()) {
      case BOTH -> true;
      case A -> !isLegB(row);
      case B -> isLegB(row);
    };
  }

  private boolean isLegB(Row row) {
    if (layout.has("direction")) {
      return row.stripped("direction").equals("outbound");
    }
    return row.stripped("bleg_uuid").isEmpty() && legs.isLegB(row.stripped("uuid"));
  }

  private static boolean isCause(String cause) {
    return cause.length() >= MIN_CAUSE_LENGTH
        && cause.chars().allMatch(c -> c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
        && cause.chars().anyMatch(c -> c >= 'A' && c <= 'Z');
  }

  private String countFault(int found) {
    return "columns: "
        + found
        + " (expected: "
        + layout.names().size()
        + (profile.columns().isEmpty() ? ", from caller_id_name on)" : ", as declared)");
  }
}
