/** Whether sources send what they declared: a file now and then, and none left out. */
@NullMarked
package io.tollgate.reconcile.sources;

import org.jspecify.annotations.NullMarked;
