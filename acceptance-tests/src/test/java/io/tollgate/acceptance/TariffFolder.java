package io.tollgate.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tariff files of one flat plan for everybody, in euros, as a test changes them. */
final class TariffFolder {
  private static final String COLUMNS = "prefix,destination,rate,increment,valid_from,valid_to\n";

  private final Path folder;

  private TariffFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Writes tariff files.
   *
   * @param rates lines of rates.csv: prefix, destination, price of a minute, increment, beginning
   *     and end
   */
  static Path write(Path folder, List<String> rates) throws IOException {
    TariffFolder tariffs = new TariffFolder(folder);
    tariffs.file(
        "plans/flat/plan.yaml",
        """
        currency: EUR
        zone: UTC
        rounding: {mode: half-up, decimals: 4}
        """);
    tariffs.file("plans/flat/rates.csv", COLUMNS + String.join("\n", rates) + "\n");
    tariffs.file("assignments.csv", "account,plan,valid_from\n*,flat,2020-01-01\n");
    return folder;
  }

  private void file(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
