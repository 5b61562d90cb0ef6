/** Seeded load: CDRs with known outcomes. */
@NullMarked
package io.tollgate.ingest.generate;

import org.jspecify.annotations.NullMarked;
