package io.tollgate.domain.cdr;

/** What was used, and with it the unit of {@link Cdr#usage()}. */
public enum UsageType {
  /** A call; usage in milliseconds of answered time. */
  VOICE,
  /** A text message; usage in messages, or in parts where the switch counts parts. */
  SMS,
  /** A multimedia message; usage in messages. */
  MMS,
  /** A data session; usage in bytes. */
  DATA,
  /** Anything charged by the piece; usage in pieces. */
  EVENT
}
