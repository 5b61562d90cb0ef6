/** The CDR file formats: where records begin and end, and what they mean. */
@NullMarked
package io.tollgate.ingest.format;

import org.jspecify.annotations.NullMarked;
