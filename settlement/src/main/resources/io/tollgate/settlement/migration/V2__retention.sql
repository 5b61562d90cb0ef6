-- Old results are forgotten, in small steps. See Retention.

CREATE INDEX batches_balanced ON batches (at_millis) WHERE state = 'BALANCED';
CREATE INDEX differences_gone ON differences (at_millis) WHERE status = 'GONE';

-- A batch that is forgotten tells nothing new about its hours, so they are not looked at again. Any
-- other deletion does.
CREATE OR REPLACE FUNCTION batch_hour_found() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF coalesce(current_setting('tollgate.forgetting', true), '') <> 'on' THEN
      PERFORM mark_hour(OLD.usage_hour, OLD.source, OLD.at_millis);
    END IF;
  ELSE
    PERFORM mark_hour(NEW.usage_hour, NEW.source, NEW.at_millis);
  END IF;
  RETURN NULL;
END $$;

-- Nothing is recorded before it was seen twice, so no difference was ever merely suspected.
ALTER TABLE differences DROP CONSTRAINT differences_status_check;
ALTER TABLE differences ADD CONSTRAINT differences_status_check
  CHECK (status IN ('CONFIRMED', 'GONE', 'RESOLVING', 'WRITTEN_OFF'));
