package io.tollgate.ingest.generate;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.ingest.format.Format;
import io.tollgate.wire.CdrJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Writes a load to files, in the format {@code tollgate-json} or as an Asterisk {@code Master.csv}
 * in UTC. Ingested with {@code --switch S}, record {@code gen-7/17} of an Asterisk file gets the id
 * {@code S/gen-7-17:PJSIP/load:PJSIP/trunk}.
 */
public final class FileLoad {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private final CdrGenerator generator;
  private final Format format;

  /**
   * Creates the writer.
   *
   * @param format TOLLGATE_JSON or ASTERISK
   */
  public FileLoad(CdrGenerator generator, Format format) {
    if (format != Format.TOLLGATE_JSON && format != Format.ASTERISK) {
      throw new IllegalArgumentException(
          "format: " + format.id() + " (expected: tollgate-json or asterisk)");
    }
    this.generator = generator;
    this.format = format;
  }

  /**
   * Writes the load to {@code files} files of about the same size in {@code folder}, and {@code
   * summary.json} beside them.
   *
   * @throws IOException if a file exists already or cannot be written
   */
  public LoadSummary write(Path folder, int files) throws IOException {
    if (files < 1 || files > 1_000_000) {
      throw new IllegalArgumentException("files: " + files + " (expected: 1 to 1000000)");
    }
    Files.createDirectories(folder);
    GeneratorSettings settings = generator.settings();
    LoadSummary summary = LoadSummary.toFiles(settings);
    for (int i = 0; i < files; i++) {
      long from = settings.records() * i / files;
      long to = settings.records() * (i + 1) / files;
      try (BufferedWriter out =
          Files.newBufferedWriter(
              folder.resolve(name(i)),
              StandardCharsets.UTF_8,
              java.nio.file.StandardOpenOption.CREATE_NEW)) {
        for (long index = from; index < to; index++) {
          GeneratedRecord generated = generator.record(index);
          summary.add(generated);
          out.write(line(generated));
          out.write('\n');
        }
      }
    }
    Files.writeString(folder.resolve("summary.json"), summary.toJson() + "\n");
    return summary;
  }

  private String name(int i) {
    String ending = format == Format.ASTERISK ? ".csv" : ".jsonl";
    return String.format("load-%x-%04d%s", generator.settings().seed(), i, ending);
  }

  private String line(GeneratedRecord generated) {
    String line =
        format == Format.ASTERISK ? asteriskRow(generated.cdr()) : CdrJson.encode(generated.cdr());
    return switch (generated.kind()) {
      case NOISE -> "\u0001\u0002 not a CDR " + generated.index();
      case CUT_OFF -> line.substring(0, line.length() / 2);
      case UNKNOWN_SCHEMA ->
          line.replace("\"usage\":", "\"octets\":")
              + (format == Format.ASTERISK ? ",,,,,,,\"7\"" : "");
      default -> line;
    };
  }

  private static String asteriskRow(Cdr cdr) {
    String id = cdr.eventId().replace('/', '-');
    long endMillis = cdr.startMillis() + Math.max(0, cdr.usage());
    boolean answered = cdr.usage() != 0;
    String start = STAMP.format(Instant.ofEpochMilli(cdr.startMillis()));
    String end = STAMP.format(Instant.ofEpochMilli(endMillis));
    return row(
        cdr.accountId(),
        cdr.calling(),
        cdr.called(),
        "load",
        "\"\" <" + cdr.calling() + ">",
        "PJSIP/load",
        "PJSIP/trunk",
        "Dial",
        "PJSIP/trunk,60",
        start,
        answered ? start : "",
        end,
        Long.toString(Math.max(0, cdr.usage() / 1000)),
        Long.toString(cdr.usage() / 1000),
        cdr.cause(),
        "DOCUMENTATION",
        id,
        "");
  }

  private static String row(String... fields) {
    StringBuilder row = new StringBuilder(256);
    for (String field : fields) {
      row.append(row.length() == 0 ? "\"" : ",\"");
      row.append(field.replace("\"", "\"\"")).append('"');
    }
    return row.toString();
  }
}
