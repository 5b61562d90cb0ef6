package io.tollgate.cli;

import io.tollgate.domain.reconcile.UsageHours;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A usage hour such as {@code 2026-10-05T13Z}, in UTC; becomes hours since 1970. */
final class UsageHourText implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      return UsageHours.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
