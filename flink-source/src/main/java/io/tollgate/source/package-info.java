/** What the Kafka sources of Tollgate's jobs have in common. */
@NullMarked
package io.tollgate.source;

import org.jspecify.annotations.NullMarked;
