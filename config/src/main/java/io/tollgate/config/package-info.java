/** The configuration of an installation: {@code tollgate.yaml} as a tree of records. */
@NullMarked
package io.tollgate.config;

import org.jspecify.annotations.NullMarked;
