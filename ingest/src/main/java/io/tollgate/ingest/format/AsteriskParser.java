package io.tollgate.ingest.format;

import io.tollgate.domain.cdr.CdrRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Asterisk {@code cdr_csv}: 16 columns, and up to five more by configuration. Which of them a row
 * has follows from their number, except that {@code uniqueid} and {@code userfield} may each stand
 * alone: a {@code uniqueid} is told by its form. {@code cdr_custom} needs declared columns.
 *
 * <p>One {@code uniqueid} stands on several rows (answered on one channel, not on another), so it
 * is no identity by itself: {@code linkedid:sequence}, or else {@code uniqueid:channel:dstchannel}.
 */
final class AsteriskParser implements RecordParser {
  private static final List<String> ALWAYS =
      List.of(
          "accountcode",
          "src",
          "dst",
          "dcontext",
          "clid",
          "channel",
          "dstchannel",
          "lastapp",
          "lastdata",
          "start",
          "answer",
          "end",
          "duration",
          "billsec",
          "disposition",
          "amaflags");
  private static final List<String> NEWER = List.of("peeraccount", "linkedid", "sequence");
  private static final int MAX_OPTIONAL = 5;

  private static final String ANSWERED = "ANSWERED";
  private static final Set<String> DISPOSITIONS =
      Set.of(ANSWERED, "NO ANSWER", "BUSY", "FAILED", "CONGESTION");

  /** {@code 1791172800.42}, or {@code pbx1-1791172800.42} where the system has a name. */
  private static final Pattern UNIQUE_ID = Pattern.compile("(?:.*-)?(\\d{9,10})\\.\\d+");

  private static final boolean[] BOTH = {false, true};
  private static final Map<OptionalColumns, CsvLayout> LAYOUTS = OptionalColumns.layouts();

  private final SourceProfile profile;
  private final CallAssembler assembler;
  private final @Nullable CsvLayout declared;

  AsteriskParser(SourceProfile profile) {
    this.profile = profile;
    this.assembler = new CallAssembler(profile);
    this.declared = profile.columns().isEmpty() ? null : CsvLayout.of(profile.columns());
  }

  @Override
  public Parsed parse(Frame frame) {
    return RecordParser.parseKind(frame, this::read);
  }

  @Override
  public String columns() {
    CsvLayout layout =
        declared != null ? declared : LAYOUTS.get(new OptionalColumns(true, true, true));
    return layout == null ? "" : layout.header();
  }

  @Override
  public List<String> shapeFaults(Frame frame) {
    if (frame.kind() != Frame.Kind.RECORD) {
      return List.of("form: quotes not balanced (expected: comma-separated fields)");
    }
    List<String> fields = CsvFields.split(Row.decode(frame.content()));
    CsvLayout layout = layoutOf(fields);
    if (layout == null) {
      return List.of(countFault(fields.size()));
    }
    String disposition = layout.row(fields).stripped("disposition");
    return DISPOSITIONS.contains(disposition)
        ? List.of()
        : List.of(
            "disposition: '"
                + CdrRules.shown(disposition)
                + "' (expected: one of "
                + DISPOSITIONS.stream().sorted().toList()
                + ")");
  }

  private Parsed read(byte[] content) {
    List<String> fields = CsvFields.split(Row.decode(content));
    CsvLayout layout = layoutOf(fields);
    if (layout == null) {
      return new Parsed.BadLine(List.of(countFault(fields.size())));
    }
    Row row = layout.row(fields);
    String account = row.required(assembler.accountColumn("accountcode"), "the account to charge");
    String disposition = row.stripped("disposition");
    if (!DISPOSITIONS.contains(disposition)) {
      row.fault("disposition", disposition, "one of " + DISPOSITIONS.stream().sorted().toList());
    }
    long durationSeconds = row.whole("duration", "seconds");
    long billsecSeconds = row.whole("billsec", "seconds");
    if (row.isWholeAt("duration") && billsecSeconds > durationSeconds + 1) {
      row.fault("billsec", row.stripped("billsec"), "at most the duration, " + durationSeconds);
    }
    if (!disposition.equals(ANSWERED) && billsecSeconds > 0 && DISPOSITIONS.contains(disposition)) {
      row.fault("billsec", row.stripped("billsec"), "0 for " + disposition);
    }
    String uniqueId = row.stripped("uniqueid");
    LocalTimes.Moments moments =
        assembler
            .times()
            .resolve(
                row,
                "start",
                "answer",
                "end",
                durationSeconds,
                billsecSeconds,
                idSeconds(uniqueId));
    if (moments == null) {
      return new Parsed.BadLine(List.copyOf(row.faults()));
    }
    long usageMillis = billsecSeconds * 1000;
    CallAssembler.checkOrder(row, moments, "answer", "end", "billsec", usageMillis);
    return assembler.assemble(
        row,
        new CallAssembler.Call(
            nativeId(row, uniqueId),
            account,
            row.stripped("src"),
            row.stripped("dst"),
            moments,
            usageMillis,
            disposition,
            Map.of("context", row.stripped("dcontext"), "amaflags", row.stripped("amaflags"))));
  }

  private static String nativeId(Row row, String uniqueId) {
    String linkedId = row.stripped("linkedid");
    String sequence = row.stripped("sequence");
    if (!linkedId.isEmpty() && !sequence.isEmpty()) {
      return linkedId + ":" + sequence;
    }
    return uniqueId.isEmpty()
        ? ""
        : uniqueId + ":" + row.stripped("channel") + ":" + row.stripped("dstchannel");
  }

  private static OptionalLong idSeconds(String uniqueId) {
    Matcher matcher = UNIQUE_ID.matcher(uniqueId);
    return matcher.matches()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  private @Nullable CsvLayout layoutOf(List<String> fields) {
    CsvLayout declaredLayout = declared;
    if (declaredLayout != null) {
      return fields.size() == declaredLayout.names().size() ? declaredLayout : null;
    }
    int optional = fields.size() - ALWAYS.size();
    if (optional < 0 || optional > MAX_OPTIONAL) {
      return null;
    }
    boolean newer = optional >= NEWER.size();
    int before = newer ? optional - NEWER.size() : optional;
    boolean hasUniqueId =
        before == 2
            || (before == 1 && UNIQUE_ID.matcher(fields.get(ALWAYS.size()).strip()).matches());
    boolean hasUserField = before == 2 || (before == 1 && !hasUniqueId);
    return LAYOUTS.get(new OptionalColumns(hasUniqueId, hasUserField, newer));
  }

  private String countFault(int found) {
    String expected =
        profile.columns().isEmpty()
            ? ALWAYS.size() + " to " + (ALWAYS.size() + MAX_OPTIONAL) + ", from accountcode on"
            : String.valueOf(profile.columns().size()) + ", as declared";
    return "columns: " + found + " (expected: " + expected + ")";
  }

  /** Which of the columns that a configuration may switch on a row has. */
  private record OptionalColumns(boolean uniqueId, boolean userField, boolean newer) {
    private static Map<OptionalColumns, CsvLayout> layouts() {
      Map<OptionalColumns, CsvLayout> layouts = new HashMap<>();
      for (boolean uniqueId : BOTH) {
        for (boolean userField : BOTH) {
          for (boolean newer : BOTH) {
            OptionalColumns optional = new OptionalColumns(uniqueId, userField, newer);
            layouts.put(optional, optional.layout());
          }
        }
      }
      return layouts;
    }

    private CsvLayout layout() {
      List<String> names = new ArrayList<>(ALWAYS);
      if (uniqueId) {
        names.add("uniqueid");
      }
      if (userField) {
        names.add("userfield");
      }
      if (newer) {
        names.addAll(NEWER);
      }
      return CsvLayout.of(names);
    }
  }
}
