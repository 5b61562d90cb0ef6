/** What became of single records: evidence from topic, receipts, ledger and file, and reasons. */
@NullMarked
package io.tollgate.cli.explain;

import org.jspecify.annotations.NullMarked;
