package io.tollgate.domain.cdr;

import java.util.Map;
import java.util.Objects;

/**
 * One call detail record in canonical form, as it travels on the topic {@code cdr}.
 *
 * <p>The identity is {@code accountId:eventId}; everything that pricing may look at is here, and
 * nothing about delivery (that is {@link Origin}). A record of this type is only well formed, not
 * yet valid: ranges are the business of {@link CdrRules}.
 *
 * @param eventId id given by the switch, prefixed with the declared identity of that switch, so
 *     that ids of two switches never collide and two collectors of one switch agree: {@code
 *     switch/native-id}
 * @param accountId who pays
 * @param usageType what was used; decides the unit of {@code usage}
 * @param calling calling party, normalized to E.164 with {@code +} where that was possible; empty
 *     if unknown
 * @param called called party, normalized in the same way; for {@code DATA} the access point, for
 *     {@code EVENT} its code; empty if there is none
 * @param startMillis when usage began, as UTC milliseconds since 1970; for an unanswered call when
 *     it was placed
 * @param utcOffsetSeconds offset from UTC of the source's clock at that moment, in seconds, east
 *     positive
 * @param usage raw usage: milliseconds (VOICE), bytes (DATA) or units (SMS, MMS, EVENT); 0 for an
 *     unanswered call
 * @param cause termination cause as the switch names it, for example {@code ANSWERED} or {@code
 *     16}; may be empty
 * @param attributes further facts that rating may depend on; part of the content
 * @param callingOriginal calling party as the switch wrote it, empty if equal to {@code calling};
 *     kept for questions, not part of the content
 * @param calledOriginal called party as the switch wrote it, empty if equal to {@code called}
 */
public record Cdr(
    String eventId,
    String accountId,
    UsageType usageType,
    String calling,
    String called,
    long startMillis,
    int utcOffsetSeconds,
    long usage,
    String cause,
    Map<String, String> attributes,
    String callingOriginal,
    String calledOriginal) {

  public Cdr {
    Objects.requireNonNull(eventId, "eventId");
    Objects.requireNonNull(accountId, "accountId");
    Objects.requireNonNull(usageType, "usageType");
    Objects.requireNonNull(calling, "calling");
    Objects.requireNonNull(called, "called");
    Objects.requireNonNull(cause, "cause");
    Objects.requireNonNull(attributes, "attributes");
    Objects.requireNonNull(callingOriginal, "callingOriginal");
    Objects.requireNonNull(calledOriginal, "calledOriginal");
  }
}
