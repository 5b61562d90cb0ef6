/** From the topic to arrivals: read, decode, validate, event time. */
@NullMarked
package io.tollgate.rating.ingest;

import org.jspecify.annotations.NullMarked;
