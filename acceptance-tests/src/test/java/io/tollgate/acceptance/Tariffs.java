package io.tollgate.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Copies of the sample tariffs that a test changes as the pricing team would. */
final class Tariffs {
  private static final Path SAMPLE = Installation.HOME.resolve("tariffs");
  private static final String RETAIL = "plans/retail-de/rates.csv";

  private Tariffs() {}

  /** Copies the sample tariffs into a new folder, and returns it. */
  static Path copy(Path folder) throws IOException {
    Files.createDirectories(folder.getParent());
    try (Stream<Path> files = Files.walk(SAMPLE)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(SAMPLE.relativize(file).toString()));
      }
    }
    return folder;
  }

  /** Gives a price to the numbers that generated load calls without one. */
  static void priceForAll(Path folder) throws IOException {
    Files.writeString(
        folder.resolve(RETAIL),
        "+33199,France (fictional),VOICE,,,,0.10,60,60/60,,,,,2020-01-01,\n",
        StandardOpenOption.APPEND);
    // The team's own case says that this number has no price; a publisher would change it too.
    Path golden = folder.resolve("golden.csv");
    List<String> cases = new ArrayList<>(Files.readAllLines(golden));
    cases.removeIf(line -> line.contains("NO_DESTINATION"));
    Files.write(golden, cases);
  }

  /** Makes calls to Berlin dearer, of which generated load has many, as if they had always been. */
  static void raise(Path folder) throws IOException {
    Path rates = folder.resolve(RETAIL);
    String before = Files.readString(rates);
    String after =
        before
            .replace("+4930,Berlin,VOICE,peak,,,0.023", "+4930,Berlin,VOICE,peak,,,0.031")
            .replace("+4930,Berlin,VOICE,off-peak,,,0.012", "+4930,Berlin,VOICE,off-peak,,,0.02");
    if (after.equals(before)) {
      throw new IllegalStateException("no such rate any more: " + rates);
    }
    Files.writeString(rates, after);
    Files.delete(folder.resolve("golden.csv"));
  }
}
