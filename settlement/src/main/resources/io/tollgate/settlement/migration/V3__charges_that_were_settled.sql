-- partitions.digest is that of the charges themselves (revision 0): no correction changes it. Each line
-- remembers it, so that a charge which changed after it was settled is found whatever else agrees.
-- Null: of a line that is older than this.
ALTER TABLE settlement_lines ADD COLUMN charges_digest bigint;
