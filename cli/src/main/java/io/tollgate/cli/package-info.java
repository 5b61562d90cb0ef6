/** The command {@code ./tollgate}: one class for each of its commands. */
@NullMarked
package io.tollgate.cli;

import org.jspecify.annotations.NullMarked;
