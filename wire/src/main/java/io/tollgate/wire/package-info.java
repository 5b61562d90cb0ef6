/** The topics: names of headers, Avro schemas and codecs of everything that crosses Kafka. */
@NullMarked
package io.tollgate.wire;

import org.jspecify.annotations.NullMarked;
