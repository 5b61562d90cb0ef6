/** Batches on their way through Kafka: records to {@code cdr}, words about them to its control. */
@NullMarked
package io.tollgate.ingest.kafka;

import org.jspecify.annotations.NullMarked;
