package io.tollgate.ledger.gate;

import java.io.Serializable;
import java.time.Duration;

/**
 * What keeps the gate closed beside a halt.
 *
 * @param reconcileRequired whether charging pauses while reconciliation is not alive
 * @param heartbeatAgeMax how long its heartbeat may stand still: some cycles
 * @param answerAgeMax how old the last answer of the ledger may be
 */
public record GateRules(boolean reconcileRequired, Duration heartbeatAgeMax, Duration answerAgeMax)
    implements Serializable {}
