package io.tollgate.ingest.format;

import io.tollgate.domain.cdr.CdrRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Cisco CUCM flat files. The first line names the columns, the second their types; what is needed
 * is found by name, because versions add columns. Times are seconds since 1970; a {@code
 * dateTimeConnect} of 0 means unanswered. Transfers and conferences write several CDRs a call, each
 * with its own {@code pkid}. There is no account: the calling party pays unless a column is
 * declared.
 *
 * <p>A line that repeats the names or types, where files were joined, is a header too if it is the
 * same; with other names it is a bad line, and so are the lines after it that do not fit.
 */
final class CucmParser implements RecordParser {
  private static final String FIRST_COLUMN = "cdrRecordType";
  private static final String CMR_TYPE = "2";
  private static final List<String> NEEDED =
      List.of(
          "globalCallID_callManagerId",
          "globalCallID_callId",
          "origLegCallIdentifier",
          "destLegIdentifier",
          "dateTimeOrigination",
          "dateTimeConnect",
          "dateTimeDisconnect",
          "duration",
          "callingPartyNumber",
          "originalCalledPartyNumber",
          "finalCalledPartyNumber",
          "origCause_value",
          "destCause_value",
          "pkid");

  private final CallAssembler assembler;
  private final CsvLayout layout;
  private final List<String> types;

  private CucmParser(SourceProfile profile, List<String> names, List<String> types) {
    this.assembler = new CallAssembler(profile);
    this.layout = CsvLayout.of(names);
    this.types = types;
  }

  /**
   * Creates the parser of a file.
   *
   * @param head first frames of the file
   * @throws WrongFormatException if they are not the headers of a CDR file
   */
  static CucmParser of(SourceProfile profile, List<Frame> head) throws WrongFormatException {
    List<List<String>> rows =
        head.stream()
            .filter(frame -> frame.kind() == Frame.Kind.RECORD)
            .map(frame -> CsvFields.split(Row.decode(frame.content())))
            .limit(2)
            .toList();
    if (rows.isEmpty() || !rows.get(0).contains("globalCallID_callId")) {
      throw new WrongFormatException(
          "first line: "
              + (rows.isEmpty() ? "absent" : shown(rows.get(0)))
              + " (expected: the column names of CUCM, from "
              + FIRST_COLUMN
              + " on)");
    }
    List<String> names = rows.get(0);
    if (names.contains("numberPacketsSent") || names.contains("varVQMetrics")) {
      throw new WrongFormatException(
          "this is a CMR file: call quality, not calls (expected: a file named cdr_..., not"
              + " cmr_...)");
    }
    List<String> faults = new ArrayList<>();
    for (String needed : NEEDED) {
      if (!names.contains(needed)) {
        faults.add("column " + needed + ": absent (expected: one of the columns)");
      }
    }
    boolean hasTypes = rows.size() > 1 && isTypes(rows.get(1));
    if (rows.size() > 1 && !hasTypes) {
      faults.add(
          "second line: "
              + shown(rows.get(1))
              + " (expected: the types of the columns, INTEGER, VARCHAR(50) and so on)");
    }
    if (!faults.isEmpty()) {
      throw new WrongFormatException(String.join("; ", faults));
    }
    return new CucmParser(profile, names, hasTypes ? rows.get(1) : List.of());
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
    return frame.kind() == Frame.Kind.RECORD
        ? List.of()
        : List.of("form: quotes not balanced (expected: comma-separated fields)");
  }

  private Parsed read(byte[] content) {
    List<String> fields = CsvFields.split(Row.decode(content));
    if (fields.equals(layout.names()) || fields.equals(types) || isTypes(fields)) {
      return new Parsed.NonRecord(HEADER);
    }
    if (fields.size() != layout.names().size()) {
      return new Parsed.BadLine(
          List.of(
              "columns: "
                  + fields.size()
                  + " (expected: "
                  + layout.names().size()
                  + ", as the first line names)"));
    }
    Row row = layout.row(fields);
    if (row.stripped(FIRST_COLUMN).equals(CMR_TYPE)) {
      row.fault(FIRST_COLUMN, CMR_TYPE, "1, a CDR; 2 is a CMR");
    }
    String account =
        row.required(assembler.accountColumn("callingPartyNumber"), "the party to charge");
    String cause = row.stripped("destCause_value");
    long startSeconds = row.whole("dateTimeOrigination", "seconds since 1970");
    long connectSeconds = row.whole("dateTimeConnect", "seconds since 1970");
    long endSeconds = row.whole("dateTimeDisconnect", "seconds since 1970");
    long usageMillis = row.whole("duration", "seconds") * 1000;
    LocalTimes.Moments moments =
        new LocalTimes.Moments(
            startSeconds,
            connectSeconds == 0 ? OptionalLong.empty() : OptionalLong.of(connectSeconds),
            endSeconds);
    CallAssembler.checkOrder(
        row, moments, "dateTimeConnect", "dateTimeDisconnect", "duration", usageMillis);
    String called = row.stripped("finalCalledPartyNumber");
    String dialled = row.stripped("originalCalledPartyNumber");
    return assembler.assemble(
        row,
        new CallAssembler.Call(
            nativeId(row),
            account,
            row.stripped("callingPartyNumber"),
            called,
            moments,
            usageMillis,
            cause,
            Map.of(
                "origCause",
                row.stripped("origCause_value"),
                "dialled",
                dialled.equals(called) ? "" : dialled)));
  }

  /** The pkid; in files of old versions that lack its value, the call and both its legs. */
  private static String nativeId(Row row) {
    String pkid = row.stripped("pkid");
    if (!pkid.isEmpty()) {
      return pkid;
    }
    String node = row.stripped("globalCallID_callManagerId");
    String call = row.stripped("globalCallID_callId");
    String from = row.stripped("origLegCallIdentifier");
    String to = row.stripped("destLegIdentifier");
    boolean usable = !node.isEmpty() && !call.isEmpty() && !from.isEmpty();
    return usable ? node + "-" + call + "-" + from + "-" + to : "";
  }

  private static boolean isTypes(List<String> fields) {
    return fields.stream()
        .allMatch(
            field ->
                field.equals("INTEGER")
                    || field.startsWith("VARCHAR")
                    || field.equals("UNIQUEIDENTIFIER"));
  }

  private static String shown(List<String> fields) {
    return "'" + CdrRules.shown(String.join(",", fields)) + "'";
  }
}
