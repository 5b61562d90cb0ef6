-- Rerates: what was asked for, how far each came, and what its corrections change.

CREATE TABLE rerates (
  run              text PRIMARY KEY,
  started_millis   bigint NOT NULL,
  started_by       text NOT NULL,
  reason           text NOT NULL,
  first_hour       bigint NOT NULL,
  last_hour        bigint NOT NULL,
  accounts         text[] NOT NULL, -- none: all of them
  from_correction  bigint NOT NULL, -- the last one that these hours do not wait for
  to_correction    bigint NOT NULL,
  dry_run          boolean NOT NULL,
  units            bigint NOT NULL,
  units_done       bigint NOT NULL,
  charges          bigint NOT NULL, -- that were read
  missing          bigint NOT NULL, -- revisions that were not there; written unless it is a dry run
  finished_millis  bigint NOT NULL, -- -1 before it is through
  CHECK (first_hour <= last_hour),
  CHECK (from_correction < to_correction)
);

CREATE INDEX rerates_by_start ON rerates (started_millis);

-- Only charges for which the corrections change what is owed.
CREATE TABLE rerate_totals (
  run            text NOT NULL REFERENCES rerates ON DELETE CASCADE,
  account        text NOT NULL,
  destination    text NOT NULL,
  currency       text NOT NULL,
  charges        bigint NOT NULL CHECK (charges > 0),
  amount_before  numeric NOT NULL,
  amount_after   numeric NOT NULL,
  PRIMARY KEY (run, account, destination, currency)
);

-- Hours of which all accounts were rerated, and up to which correction.
CREATE TABLE rerated_hours (
  usage_hour  bigint PRIMARY KEY,
  correction  bigint NOT NULL,
  run         text NOT NULL
);
