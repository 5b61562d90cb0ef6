/** Measurements of single methods by JMH; {@code benchmarks/run} runs them, the build does not. */
@NullMarked
package io.tollgate.benchmarks;

import org.jspecify.annotations.NullMarked;
