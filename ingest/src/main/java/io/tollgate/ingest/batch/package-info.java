/** Batches: fixed byte ranges of files, announced, sent and closed with a control total. */
@NullMarked
package io.tollgate.ingest.batch;

import org.jspecify.annotations.NullMarked;
