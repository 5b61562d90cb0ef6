package io.tollgate.ingest.format;

import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the files of one source are to be read, checked and complete; see {@link SourceOptions}.
 *
 * @param source declared id of the source: who delivers the files
 * @param format what they are written in
 * @param switchId declared identity of the switch that gave the ids; shared by all its collectors
 * @param zone zone of the switch's clock; UTC where the format counts seconds since 1970 and none
 *     was declared
 * @param country ISO 3166 code of the country whose national numbers the switch writes; null if
 *     national numbers cannot be read
 * @param accountColumn column that names the account; null for the format's own
 * @param legs which legs are charged
 * @param identity what to do with rows without an id
 * @param columns names of the columns in order; empty for the format's own layout
 */
public record SourceProfile(
    String source,
    Format format,
    String switchId,
    ZoneId zone,
    @Nullable String country,
    @Nullable String accountColumn,
    LegPolicy legs,
    IdentityPolicy identity,
    List<String> columns) {

  public SourceProfile {
    columns = List.copyOf(columns);
  }
}
