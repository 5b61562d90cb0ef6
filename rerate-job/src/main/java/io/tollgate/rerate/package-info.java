/**
 * The rerate job: a bounded Flink job that reads old charges from the ledger and writes the
 * revisions that corrections give them.
 */
@NullMarked
package io.tollgate.rerate;

import org.jspecify.annotations.NullMarked;
