/** {@code tollgate bench}: measurements, as ratios to a plain loop of the same run. */
@NullMarked
package io.tollgate.cli.bench;

import org.jspecify.annotations.NullMarked;
