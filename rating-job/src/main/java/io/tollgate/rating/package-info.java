/**
 * The rating job: its packages in the order of its flow are ingest, dedup, rate, write, receipts.
 */
@NullMarked
package io.tollgate.rating;

import org.jspecify.annotations.NullMarked;
