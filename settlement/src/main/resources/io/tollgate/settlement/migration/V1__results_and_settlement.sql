-- What reconciliation found, for people and for settlement; and settlement itself.
--
-- Times are UTC milliseconds since 1970, usage hours are whole hours since 1970 in UTC. Of each row
-- the newest finding stands (at_millis), whatever the order in which findings are recorded.

CREATE TABLE cycles (
  cycle            bigint PRIMARY KEY,
  started_millis   bigint NOT NULL,
  finished_millis  bigint NOT NULL,
  partitions_read  bigint NOT NULL,
  rows_read        bigint NOT NULL,
  batches_judged   bigint NOT NULL,
  differences      bigint NOT NULL
);

CREATE TABLE sources (
  source             text PRIMARY KEY,
  market             text NOT NULL,
  last_file          text NOT NULL,
  last_heard_millis  bigint NOT NULL,
  waiting_for        text NOT NULL,
  state              text NOT NULL CHECK (state IN ('OPEN', 'BALANCED', 'MISMATCH')),
  at_millis          bigint NOT NULL
);

CREATE TABLE batches (
  source             text NOT NULL,
  batch              text NOT NULL,
  file               text NOT NULL,
  state              text NOT NULL CHECK (state IN ('OPEN', 'BALANCED', 'MISMATCH')),
  waiting_for        text NOT NULL,
  records            bigint NOT NULL, -- -1 before there is a control total
  outcome_rated      bigint NOT NULL,
  outcome_duplicate  bigint NOT NULL,
  outcome_conflict   bigint NOT NULL,
  outcome_suspended  bigint NOT NULL,
  outcome_rejected   bigint NOT NULL,
  usage_voice        bigint NOT NULL, -- milliseconds
  usage_sms          bigint NOT NULL,
  usage_mms          bigint NOT NULL,
  usage_data         bigint NOT NULL, -- bytes
  usage_event        bigint NOT NULL,
  at_millis          bigint NOT NULL,
  PRIMARY KEY (source, batch)
);

CREATE INDEX batches_not_balanced ON batches (at_millis) WHERE state <> 'BALANCED';

-- The usage hours in which a batch has rows, and how many were found there.
CREATE TABLE batch_hours (
  source      text NOT NULL,
  batch       text NOT NULL,
  usage_hour  bigint NOT NULL,
  charges     bigint NOT NULL CHECK (charges >= 0),
  at_millis   bigint NOT NULL,
  PRIMARY KEY (usage_hour, source, batch),
  FOREIGN KEY (source, batch) REFERENCES batches
);

CREATE INDEX batch_hours_by_batch ON batch_hours (source, batch);

-- What was read of a source's rows in a partition of the ledger. What is owed stands in arrays of
-- equal length, one element for each currency, in order of currencies.
CREATE TABLE partitions (
  usage_hour          bigint NOT NULL,
  bucket              integer NOT NULL,
  source              text NOT NULL,
  state               text NOT NULL CHECK (state IN ('OPEN', 'BALANCED', 'MISMATCH')),
  charges             bigint NOT NULL CHECK (charges >= 0),
  currencies          text[] NOT NULL,
  currency_charges    bigint[] NOT NULL,
  currency_amounts    numeric[] NOT NULL,
  currency_digests    bigint[] NOT NULL,
  digest              bigint NOT NULL,
  correction          bigint NOT NULL,
  at_millis           bigint NOT NULL,
  PRIMARY KEY (usage_hour, source, bucket),
  CHECK (cardinality(currencies) = cardinality(currency_charges)
    AND cardinality(currencies) = cardinality(currency_amounts)
    AND cardinality(currencies) = cardinality(currency_digests))
);

CREATE TABLE differences (
  id            text PRIMARY KEY,
  kind          text NOT NULL,
  source        text NOT NULL, -- empty if none is known
  batch         text NOT NULL, -- empty if none is known
  usage_hour    bigint NOT NULL, -- -1 if it is not about an hour
  bucket        integer NOT NULL, -- -1 if it is not about one
  items         text NOT NULL,
  records       bigint NOT NULL,
  expected      text NOT NULL,
  found         text NOT NULL,
  status        text NOT NULL
    CHECK (status IN ('SUSPECTED', 'CONFIRMED', 'GONE', 'RESOLVING', 'WRITTEN_OFF')),
  halt_id       text NOT NULL, -- empty if it raised none
  example       text NOT NULL,
  first_millis  bigint NOT NULL,
  at_millis     bigint NOT NULL
);

CREATE INDEX differences_open ON differences (source, usage_hour)
  WHERE status IN ('SUSPECTED', 'CONFIRMED', 'RESOLVING');
CREATE INDEX differences_by_hour ON differences (usage_hour, source);
CREATE INDEX differences_by_batch ON differences (source, batch);

-- Halts and their acknowledgements: copies for people. What holds lies in the ledger's gate.
CREATE TABLE halts (
  halt_id        text PRIMARY KEY,
  raised_millis  bigint NOT NULL,
  reason         text NOT NULL
);

CREATE TABLE halt_differences (
  halt_id        text NOT NULL,
  difference_id  text NOT NULL,
  PRIMARY KEY (halt_id, difference_id)
);

CREATE TABLE acknowledgements (
  halt_id    text PRIMARY KEY,
  person     text NOT NULL,
  reason     text NOT NULL,
  at_millis  bigint NOT NULL
);

CREATE TABLE resolutions (
  halt_id        text NOT NULL,
  difference_id  text NOT NULL,
  resolution     text NOT NULL
    CHECK (resolution IN ('REPAIR', 'REPLAY', 'RERATE', 'VOID', 'WRITE_OFF')),
  PRIMARY KEY (halt_id, difference_id)
);

-- How far each usage hour of a source is. Made and marked by what is found about it; judged by
-- settlement, which takes the mark away in the transaction in which it acts on what it saw.
CREATE TABLE hours (
  usage_hour      bigint NOT NULL,
  source          text NOT NULL,
  state           text NOT NULL CHECK (state IN ('OPEN', 'BALANCED', 'MISMATCH', 'SETTLED')),
  waiting_for     text NOT NULL,
  changed_millis  bigint NOT NULL, -- the newest finding that told something new
  marked          boolean NOT NULL,
  settled_millis  bigint, -- when its newest lines were made; null if there are none
  PRIMARY KEY (usage_hour, source)
);

CREATE INDEX hours_to_judge ON hours (usage_hour, source) WHERE marked OR state <> 'SETTLED';

-- The accounting months that are closed: later lines of their hours go to the next open month.
CREATE TABLE closed_periods (
  period         text PRIMARY KEY CHECK (period ~ '^\d{4}-\d{2}$'),
  closed_millis  bigint NOT NULL,
  closed_by      text NOT NULL
);

-- Settlement: number 0 is the first of its place, later ones add what has changed since. The sum
-- over all numbers is what is owed.
CREATE TABLE settlement_lines (
  usage_hour      bigint NOT NULL,
  bucket          integer NOT NULL,
  source          text NOT NULL,
  market          text NOT NULL,
  currency        text NOT NULL,
  number          integer NOT NULL CHECK (number >= 0),
  supplement      boolean NOT NULL, -- the hour had been settled before
  period          text NOT NULL CHECK (period ~ '^\d{4}-\d{2}$'),
  charges         bigint NOT NULL, -- added by this line; may be negative
  amount          numeric NOT NULL, -- added by this line; may be negative
  digest          bigint NOT NULL, -- of all that is settled with this line
  correction      bigint NOT NULL, -- newest correction that is counted in
  settled_millis  bigint NOT NULL,
  PRIMARY KEY (usage_hour, source, bucket, currency, number),
  FOREIGN KEY (usage_hour, source) REFERENCES hours,
  CHECK (number = 0 OR supplement)
);

-- The batches whose rows of an hour are covered by its lines.
CREATE TABLE settled_batches (
  usage_hour      bigint NOT NULL,
  source          text NOT NULL,
  batch           text NOT NULL,
  settled_millis  bigint NOT NULL,
  PRIMARY KEY (usage_hour, source, batch)
);

-- Whatever is found about an hour makes settlement look at it (again).

CREATE FUNCTION mark_hour(about_hour bigint, about_source text, found_millis bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO hours (usage_hour, source, state, waiting_for, changed_millis, marked)
  VALUES (about_hour, about_source, 'OPEN', '', found_millis, true)
  ON CONFLICT (usage_hour, source) DO UPDATE
  SET marked = true,
      changed_millis = GREATEST(hours.changed_millis, EXCLUDED.changed_millis)
$$;

CREATE FUNCTION partition_found() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_hour(NEW.usage_hour, NEW.source, NEW.at_millis);
  RETURN NULL;
END $$;

CREATE TRIGGER partition_new AFTER INSERT ON partitions
  FOR EACH ROW EXECUTE FUNCTION partition_found();
CREATE TRIGGER partition_changed AFTER UPDATE ON partitions
  FOR EACH ROW
  WHEN ((OLD.state, OLD.charges, OLD.digest, OLD.currencies, OLD.currency_charges,
      OLD.currency_amounts, OLD.currency_digests)
    IS DISTINCT FROM
    (NEW.state, NEW.charges, NEW.digest, NEW.currencies, NEW.currency_charges,
      NEW.currency_amounts, NEW.currency_digests))
  EXECUTE FUNCTION partition_found();

CREATE FUNCTION batch_hour_found() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM mark_hour(OLD.usage_hour, OLD.source, OLD.at_millis);
  ELSE
    PERFORM mark_hour(NEW.usage_hour, NEW.source, NEW.at_millis);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER batch_hour_new AFTER INSERT OR DELETE ON batch_hours
  FOR EACH ROW EXECUTE FUNCTION batch_hour_found();
CREATE TRIGGER batch_hour_changed AFTER UPDATE ON batch_hours
  FOR EACH ROW WHEN (OLD.charges <> NEW.charges) EXECUTE FUNCTION batch_hour_found();

CREATE FUNCTION batch_state_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_hour(h.usage_hour, h.source, NEW.at_millis)
  FROM (SELECT usage_hour, source FROM batch_hours
      WHERE source = NEW.source AND batch = NEW.batch ORDER BY usage_hour) h;
  RETURN NULL;
END $$;

CREATE TRIGGER batch_changed AFTER UPDATE ON batches
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION batch_state_changed();

CREATE FUNCTION difference_found() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.usage_hour >= 0 AND NEW.source <> '' THEN
    PERFORM mark_hour(NEW.usage_hour, NEW.source, NEW.at_millis);
  ELSE
    -- One that names no hour holds up every hour of its source that is not settled, and those are
    -- looked at anyway.
    PERFORM mark_hour(h.usage_hour, h.source, NEW.at_millis)
    FROM (SELECT usage_hour, source FROM hours
        WHERE usage_hour = NEW.usage_hour AND NEW.source = ''
        UNION
        SELECT usage_hour, source FROM batch_hours
        WHERE source = NEW.source AND batch = NEW.batch AND NEW.usage_hour < 0
        ORDER BY 1, 2) h;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER difference_new AFTER INSERT ON differences
  FOR EACH ROW EXECUTE FUNCTION difference_found();
CREATE TRIGGER difference_changed AFTER UPDATE ON differences
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION difference_found();

-- What is settled is never touched again, and nothing is settled past the rules above.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: % refused (expected: insert only; what is settled never changes)',
    TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER lines_stand BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER batches_stand BEFORE UPDATE OR DELETE OR TRUNCATE ON settled_batches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER periods_stand BEFORE UPDATE OR DELETE OR TRUNCATE ON closed_periods
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM hours
      WHERE usage_hour = NEW.usage_hour AND source = NEW.source AND state = 'SETTLED') THEN
    RAISE EXCEPTION 'settlement line of hour %, source %: refused (expected: state SETTLED)',
      NEW.usage_hour, NEW.source USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF EXISTS (SELECT 1 FROM closed_periods WHERE period = NEW.period) THEN
    RAISE EXCEPTION 'settlement line of period %: refused (expected: an open period)',
      NEW.period USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.number > 0 AND NOT EXISTS (SELECT 1 FROM settlement_lines
      WHERE usage_hour = NEW.usage_hour AND source = NEW.source AND bucket = NEW.bucket
        AND currency = NEW.currency AND number = NEW.number - 1) THEN
    RAISE EXCEPTION 'settlement line number %: refused (expected: the one after the last)',
      NEW.number USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER lines_follow_the_rules BEFORE INSERT ON settlement_lines
  FOR EACH ROW EXECUTE FUNCTION check_line();

-- What finance reads. A line exists only once its hour was balanced and quiet.
CREATE VIEW settled_charges AS
SELECT
  l.market,
  l.source,
  to_timestamp(l.usage_hour * 3600) AT TIME ZONE 'UTC' AS usage_hour_utc,
  l.currency,
  l.period,
  sum(l.charges) FILTER (WHERE NOT l.supplement) AS line_charges,
  sum(l.amount) FILTER (WHERE NOT l.supplement) AS line_amount,
  sum(l.charges) FILTER (WHERE l.supplement) AS supplement_charges,
  sum(l.amount) FILTER (WHERE l.supplement) AS supplement_amount,
  sum(l.charges) AS charges,
  sum(l.amount) AS amount,
  to_timestamp(max(l.settled_millis) / 1000) AT TIME ZONE 'UTC' AS settled_utc,
  bool_or(h.state = 'MISMATCH') AS in_question
FROM settlement_lines l
JOIN hours h USING (usage_hour, source)
GROUP BY l.market, l.source, l.usage_hour, l.currency, l.period;
