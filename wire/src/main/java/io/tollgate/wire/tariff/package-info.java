/** How a tariff book travels on the topic {@code tariffs}. */
@NullMarked
package io.tollgate.wire.tariff;

import org.jspecify.annotations.NullMarked;
