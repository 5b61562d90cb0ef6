/** {@code tollgate demo}: the whole flow on the sample files, checked record by record. */
@NullMarked
package io.tollgate.cli.demo;

import org.jspecify.annotations.NullMarked;
