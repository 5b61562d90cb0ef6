/** Processes that outlive the program that started them, and how they are found again. */
@NullMarked
package io.tollgate.localstack.process;

import org.jspecify.annotations.NullMarked;
