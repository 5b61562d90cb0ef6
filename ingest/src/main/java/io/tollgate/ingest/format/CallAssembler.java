package io.tollgate.ingest.format;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.cdr.CdrRules;
import io.tollgate.domain.cdr.ContentFingerprint;
import io.tollgate.domain.cdr.EventIdentity;
import io.tollgate.domain.cdr.UsageType;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Makes the canonical CDR of a call from what a format's row says, by the rules of its source. */
final class CallAssembler {
  private static final long MILLIS_PER_SECOND = 1000;

  /** No clock here: how far ahead a start may lie is judged against the broker's clock later. */
  private static final long NO_CLOCK_MILLIS = Long.MAX_VALUE / 2;

  private final SourceProfile profile;
  private final PartyNumbers numbers;
  private final LocalTimes times;

  CallAssembler(SourceProfile profile) {
    this.profile = profile;
    this.numbers = new PartyNumbers(profile.country());
    this.times = new LocalTimes(profile.zone());
  }

  LocalTimes times() {
    return times;
  }

  /**
   * What a row says of a call.
   *
   * @param nativeId id that the switch gave, empty if none can be used
   * @param account who pays, as written
   * @param calling as written
   * @param called as written
   * @param moments when it was
   * @param usageMillis answered time
   * @param cause termination cause
   * @param attributes further facts; empty values are left out
   */
  record Call(
      String nativeId,
      String account,
      String calling,
      String called,
      LocalTimes.Moments moments,
      long usageMillis,
      String cause,
      Map<String, String> attributes) {}

  /** Returns the column that names the account. */
  String accountColumn(String usual) {
    String declared = profile.accountColumn();
    return declared == null ? usual : declared;
  }

  /** Adds the faults of times that contradict each other. */
  static void checkOrder(
      Row row,
      LocalTimes.Moments moments,
      String answerColumn,
      String endColumn,
      String usageColumn,
      long usageMillis) {
    if (moments.endSeconds() < moments.startSeconds()) {
      row.fault(endColumn, row.stripped(endColumn), "at or after the start");
    }
    OptionalLong answer = moments.answerSeconds();
    if (answer.isEmpty() && usageMillis > 0) {
      row.fault(usageColumn, row.stripped(usageColumn), "0, because " + answerColumn + " is empty");
    }
    if (answer.isPresent()
        && (answer.getAsLong() < moments.startSeconds()
            || answer.getAsLong() > moments.endSeconds())) {
      row.fault(answerColumn, row.stripped(answerColumn), "between start and end");
    }
  }

  /** Returns the CDR, or all that is wrong with it and its row. */
  Parsed assemble(Row row, Call call) {
    boolean idFromContent = call.nativeId.isEmpty();
    if (idFromContent && profile.identity() == IdentityPolicy.NATIVE) {
      row.fault(
          "id", "", "an id of the switch in the row; or --identity content, if it writes none");
    }
    if (!row.faults().isEmpty()) {
      return new Parsed.BadLine(List.copyOf(row.faults()));
    }
    Cdr cdr = cdr(call);
    List<String> violations = CdrRules.violations(cdr, NO_CLOCK_MILLIS, 0);
    return violations.isEmpty()
        ? new Parsed.Call(cdr, idFromContent)
        : new Parsed.BadLine(violations);
  }

  private Cdr cdr(Call call) {
    long startSeconds = call.moments.answerSeconds().orElse(call.moments.startSeconds());
    String calling = numbers.normalize(call.calling);
    String called = numbers.normalize(call.called);
    Map<String, String> attributes = new TreeMap<>(call.attributes);
    attributes.values().removeIf(String::isEmpty);
    Cdr cdr =
        new Cdr(
            eventId(call.nativeId),
            call.account,
            UsageType.VOICE,
            calling,
            called,
            startSeconds * MILLIS_PER_SECOND,
            times.offsetAt(startSeconds).getTotalSeconds(),
            call.usageMillis,
            call.cause,
            attributes,
            calling.equals(call.calling) ? "" : call.calling,
            called.equals(call.called) ? "" : call.called);
    return call.nativeId.isEmpty() ? withIdOfContent(cdr) : cdr;
  }

  private String eventId(String nativeId) {
    return profile.switchId() + "/" + nativeId;
  }

  /** Two rows get the same id exactly if account and content are the same. */
  private Cdr withIdOfContent(Cdr cdr) {
    EventIdentity content =
        EventIdentity.of(cdr.accountId(), Long.toHexString(ContentFingerprint.of(cdr)));
    String id = String.format("content:%016x%016x", content.high(), content.low());
    return new Cdr(
        eventId(id),
        cdr.accountId(),
        cdr.usageType(),
        cdr.calling(),
        cdr.called(),
        cdr.startMillis(),
        cdr.utcOffsetSeconds(),
        cdr.usage(),
        cdr.cause(),
        cdr.attributes(),
        cdr.callingOriginal(),
        cdr.calledOriginal());
  }
}
