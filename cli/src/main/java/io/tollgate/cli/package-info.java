/** The command {@code ./tollgate}: one class for each command, thin over the modules. */
@NullMarked
package io.tollgate.cli;

import org.jspecify.annotations.NullMarked;
