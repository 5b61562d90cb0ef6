-- Savepoints that were taken by command, and replays from them. Both are kept for ever: they are few.

CREATE TABLE savepoints (
  path            text PRIMARY KEY,
  job             text NOT NULL,
  job_name        text NOT NULL,
  taken_millis    bigint NOT NULL,
  taken_by        text NOT NULL,
  reason          text NOT NULL,
  dropped_millis  bigint NOT NULL, -- -1 while it is there
  dropped_by      text NOT NULL
);

CREATE INDEX savepoints_by_time ON savepoints (taken_millis);

CREATE TABLE replays (
  replay           text PRIMARY KEY,
  from_path        text NOT NULL,
  started_millis   bigint NOT NULL,
  started_by       text NOT NULL,
  reason           text NOT NULL,
  stopped_at_path  text NOT NULL, -- savepoint that the job was stopped with; empty if none ran
  job              text NOT NULL, -- that goes on; empty before
  records          bigint NOT NULL, -- to be read again
  charges_there    bigint NOT NULL, -- of them, before
  charges_missing  bigint NOT NULL,
  charges_filled   bigint NOT NULL, -- -1 before it has caught up
  finished_millis  bigint NOT NULL -- -1 before
);

CREATE INDEX replays_by_start ON replays (started_millis);
