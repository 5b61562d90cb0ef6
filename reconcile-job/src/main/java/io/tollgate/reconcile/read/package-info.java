/** Topics as facts about batches and partitions. */
@NullMarked
package io.tollgate.reconcile.read;

import org.jspecify.annotations.NullMarked;
