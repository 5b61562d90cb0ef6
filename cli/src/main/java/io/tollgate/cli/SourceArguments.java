package io.tollgate.cli;

import io.tollgate.config.TollgateConfig;
import io.tollgate.ingest.format.SourceOptions;
import io.tollgate.ingest.format.SourceProfile;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the command line says of a source; the rest comes from {@code sources.ID}. */
final class SourceArguments {
  @Option(
      names = "--source",
      required = true,
      paramLabel = "ID",
      description =
          "Id of the source: who delivers the files. What is not given here is taken"
              + " from sources.ID of the configuration.")
  private String source = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "asterisk, freeswitch-csv, freeswitch-json, cucm or tollgate-json.")
  private @Nullable String format;

  @Option(
      names = "--switch",
      paramLabel = "NAME",
      description =
          "Identity of the switch, the first part of each event id. All collectors of"
              + " one switch give the same (default: the source).")
  private @Nullable String switchId;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Zone of the switch's clock, such as Europe/Berlin; UTC if it writes UTC."
              + " Needed for asterisk and freeswitch-csv. A stamp in the hour that stands twice is"
              + " told by the call's duration, else by Asterisk's uniqueid, else it is the first.")
  private @Nullable String zone;

  @Option(
      names = "--country",
      paramLabel = "CC",
      description = "Country whose dialling rules turn national numbers into E.164, such as DE.")
  private @Nullable String country;

  @Option(
      names = "--account",
      paramLabel = "COLUMN",
      description =
          "Column that names the account (default: accountcode; of cucm," + " callingPartyNumber).")
  private @Nullable String account;

  @Option(
      names = "--legs",
      paramLabel = "LEGS",
      description = "FreeSWITCH: legs to charge, a, b or both (default: a).")
  private @Nullable String legs;

  @Option(
      names = "--identity",
      paramLabel = "HOW",
      description =
          "native: refuse rows without an id. content: make it from the content, and"
              + " suspend rows of a file that cannot be told apart, from the second on"
              + " (default: native).")
  private @Nullable String identity;

  @Option(
      names = "--columns",
      paramLabel = "NAMES",
      description =
          "Names of the columns with commas between, for cdr_custom and templates of"
              + " one's own.")
  private @Nullable String columns;

  /**
   * Returns the profile of the source.
   *
   * @throws IllegalArgumentException naming every fault
   */
  SourceProfile profile(TollgateConfig config) {
    SourceOptions given =
        new SourceOptions(
            source, format, switchId, zone, country, account, legs, identity, columns);
    TollgateConfig.Source declared = config.sources().get(source);
    return (declared == null ? given : given.orElse(options(declared))).toProfile();
  }

  /**
   * Returns the profile of a source of the configuration.
   *
   * @throws IllegalArgumentException naming every fault
   */
  static SourceProfile declared(TollgateConfig config, String id) {
    TollgateConfig.Source declared = config.sources().get(id);
    if (declared == null) {
      throw new IllegalArgumentException("sources." + id + ": not in the configuration");
    }
    return options(declared).toProfile();
  }

  private static SourceOptions options(TollgateConfig.Source declared) {
    ZoneId zone = declared.zone();
    return new SourceOptions(
        declared.id(),
        declared.format(),
        declared.switchId(),
        zone == null ? null : zone.getId(),
        declared.country(),
        declared.account(),
        declared.legs(),
        declared.identity(),
        declared.columns());
  }
}
