package io.tollgate.ingest.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.tollgate.domain.cdr.CdrRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * FreeSWITCH {@code mod_json_cdr}: {@code variables} (percent-encoded by default) and the caller
 * profile of the first entry of {@code callflow}, which is the latest. Times are seconds since
 * 1970; an {@code answer_epoch} of 0 means unanswered. {@code billsec} is {@code billmsec} rounded,
 * not cut, so usage is {@code billmsec} where it is present. A leg with an originator is a b leg.
 */
final class FreeSwitchJsonParser implements RecordParser {
  private static final String CALLER = "callflow.caller_profile.caller_id_number";
  private static final String CALLED = "callflow.caller_profile.destination_number";
  private static final String CONTEXT = "callflow.caller_profile.context";
  private static final String ORIGINATOR = "callflow.caller_profile.originator";
  private static final long ROUNDING_MILLIS = 1000;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final SourceProfile profile;
  private final CallAssembler assembler;

  FreeSwitchJsonParser(SourceProfile profile) {
    this.profile = profile;
    this.assembler = new CallAssembler(profile);
  }

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
    if (frame.kind() != Frame.Kind.RECORD) {
      return List.of("form: no JSON object (expected: JSON objects with callflow and variables)");
    }
    try {
      Map<String, String> values = values(frame.content());
      return values.containsKey("variables")
          ? List.of()
          : List.of("variables: absent (expected: an object, as mod_json_cdr writes it)");
    } catch (IOException e) {
      return List.of(jsonFault(e));
    }
  }

  private Parsed read(byte[] content) {
    Map<String, String> values;
    try {
      values = values(content);
    } catch (IOException e) {
      return new Parsed.BadLine(List.of(jsonFault(e)));
    }
    Row row = new Row(column -> values.getOrDefault(column, ""));
    boolean legB = isLegB(values);
    if ((profile.legs() == LegPolicy.A && legB) || (profile.legs() == LegPolicy.B && !legB)) {
      return new Parsed.NonRecord(OTHER_LEG);
    }
    String account = row.required(accountColumn(), "the account to charge");
    String cause = row.required("variables.hangup_cause", "a cause such as NORMAL_CLEARING");
    long startSeconds = row.whole("variables.start_epoch", "seconds since 1970");
    long answerSeconds = row.whole("variables.answer_epoch", "seconds since 1970");
    long endSeconds = row.whole("variables.end_epoch", "seconds since 1970");
    row.whole("variables.duration", "seconds");
    long usageMillis = usageMillis(row, values);
    LocalTimes.Moments moments =
        new LocalTimes.Moments(
            startSeconds,
            answerSeconds == 0 ? OptionalLong.empty() : OptionalLong.of(answerSeconds),
            endSeconds);
    CallAssembler.checkOrder(
        row,
        moments,
        "variables.answer_epoch",
        "variables.end_epoch",
        "variables.billsec",
        usageMillis);
    return assembler.assemble(
        row,
        new CallAssembler.Call(
            row.stripped("variables.uuid"),
            account,
            row.stripped(CALLER),
            row.stripped(CALLED),
            moments,
            usageMillis,
            cause,
            Map.of("context", row.stripped(CONTEXT))));
  }

  private String accountColumn() {
    String column = assembler.accountColumn("accountcode");
    return column.contains(".") ? column : "variables." + column;
  }

  private static long usageMillis(Row row, Map<String, String> values) {
    long billsecMillis = row.whole("variables.billsec", "seconds") * 1000;
    if (!values.containsKey("variables.billmsec")) {
      return billsecMillis;
    }
    long billMillis = row.whole("variables.billmsec", "milliseconds");
    if (Math.abs(billMillis - billsecMillis) > ROUNDING_MILLIS) {
      row.fault(
          "variables.billmsec",
          row.stripped("variables.billmsec"),
          "billsec, " + row.stripped("variables.billsec") + ", before rounding");
    }
    return billMillis;
  }

  private static boolean isLegB(Map<String, String> values) {
    return values.containsKey(ORIGINATOR)
        || !values.getOrDefault("variables.originating_leg_uuid", "").isEmpty()
        || !values.getOrDefault("variables.originator", "").isEmpty();
  }

  /** Returns all variables and what is needed of the latest caller profile, by path. */
  private static Map<String, String> values(byte[] content) throws IOException {
    Map<String, String> values = new HashMap<>();
    try (JsonParser json = JSON.createParser(content)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equals("variables") && value == JsonToken.START_OBJECT) {
          values.put("variables", "");
          variables(json, values);
        } else if (name.equals("callflow")) {
          callflow(json, values);
        } else {
          json.skipChildren();
        }
      }
    }
    return values;
  }

  private static void variables(JsonParser json, Map<String, String> values) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      scalar(json, "variables." + name, values, true);
    }
  }

  /** An array of profiles, or in old versions one alone; only the first counts. */
  private static void callflow(JsonParser json, Map<String, String> values) throws IOException {
    if (json.currentToken() == JsonToken.START_OBJECT) {
      flow(json, values);
      return;
    }
    if (json.currentToken() != JsonToken.START_ARRAY) {
      return;
    }
    boolean first = true;
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY && token != null;
        token = json.nextToken()) {
      if (first && token == JsonToken.START_OBJECT) {
        flow(json, values);
      } else {
        json.skipChildren();
      }
      first = false;
    }
  }

  private static void flow(JsonParser json, Map<String, String> values) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean profile = json.currentName().equals("caller_profile");
      if (json.nextToken() != JsonToken.START_OBJECT || !profile) {
        json.skipChildren();
        continue;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        scalar(json, "callflow.caller_profile." + json.currentName(), values, false);
      }
    }
  }

  private static void scalar(
      JsonParser json, String path, Map<String, String> values, boolean encoded)
      throws IOException {
    JsonToken token = json.nextToken();
    if (token == null || token == JsonToken.VALUE_NULL) {
      return;
    }
    if (token.isStructStart()) {
      if (path.equals(ORIGINATOR)) {
        values.put(path, "");
      }
      json.skipChildren();
      return;
    }
    String text = json.getText();
    values.put(path, encoded ? decoded(text) : text);
  }

  /** Undoes percent-encoding; a percent sign that encodes nothing stays as it is. */
  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] in = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
    for (int i = 0; i < in.length; i++) {
      int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
      int low = i + 2 < in.length ? Character.digit(in[i + 2], 16) : -1;
      if (in[i] == '%' && high >= 0 && low >= 0) {
        out.write(high * 16 + low);
        i += 2;
      } else {
        out.write(in[i]);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String jsonFault(IOException e) {
    String message = String.valueOf(e.getMessage());
    @Nullable String firstLine = message.lines().findFirst().orElse(message);
    return "JSON: " + CdrRules.shown(firstLine) + " (expected: one JSON object)";
  }
}
