package io.tollgate.pricing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory of tariff files for a test: a good one, of which a test replaces what it is about.
 */
final class TariffFiles {
  private final Path root;

  TariffFiles(Path root) {
    this.root = root;
    with("plans/p/plan.yaml", "currency: EUR\nzone: Europe/Berlin\nrounding: {decimals: 4}\n");
    with("plans/p/rates.csv", "prefix,rate\n+49,0.05\n");
    with("assignments.csv", "account,plan\n*,p\n");
  }

  TariffFiles with(String file, String text) {
    return with(file, text.getBytes(StandardCharsets.UTF_8));
  }

  TariffFiles with(String file, byte[] bytes) {
    try {
      Path path = root.resolve(file);
      Files.createDirectories(path.getParent());
      Files.write(path, bytes);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TariffFiles without(String file) {
    try {
      Files.delete(root.resolve(file));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TariffCheck check() {
    return TariffDirectory.read(root);
  }
}
