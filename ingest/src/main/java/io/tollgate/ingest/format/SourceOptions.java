package io.tollgate.ingest.format;

import com.google.i18n.phonenumbers.PhoneNumberUtil;
import io.tollgate.domain.cdr.CdrRules;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The description of a source as a user wrote it, on the command line or in {@code tollgate.yaml}.
 * Everything may be absent except {@code source} and {@code format}.
 *
 * @param source id of the source
 * @param format see {@link Format}
 * @param switchId identity of the switch; default: the source
 * @param zone zone of the switch's clock, such as {@code Europe/Berlin}; required where the format
 *     writes local times
 * @param country ISO 3166 code such as {@code DE}
 * @param account column that names the account
 * @param legs {@code a}, {@code b} or {@code both}; default {@code a}
 * @param identity {@code native} or {@code content}; default {@code native}
 * @param columns names of the columns, separated by commas, where the file does not have the
 *     format's own layout
 */
public record SourceOptions(
    @Nullable String source,
    @Nullable String format,
    @Nullable String switchId,
    @Nullable String zone,
    @Nullable String country,
    @Nullable String account,
    @Nullable String legs,
    @Nullable String identity,
    @Nullable String columns) {
  private static final int MAX_ID_LENGTH = 64;

  /** Returns options with only the two that are required, and a zone. */
  public static SourceOptions of(String source, String format, @Nullable String zone) {
    return new SourceOptions(source, format, null, zone, null, null, null, null, null);
  }

  /**
   * Returns these options, each one that is absent taken from {@code others}: the command line
   * before the file.
   */
  public SourceOptions orElse(SourceOptions others) {
    return new SourceOptions(
        source != null ? source : others.source,
        format != null ? format : others.format,
        switchId != null ? switchId : others.switchId,
        zone != null ? zone : others.zone,
        country != null ? country : others.country,
        account != null ? account : others.account,
        legs != null ? legs : others.legs,
        identity != null ? identity : others.identity,
        columns != null ? columns : others.columns);
  }

  /**
   * Returns what these options mean.
   *
   * @throws IllegalArgumentException naming every fault, one a line
   */
  public SourceProfile toProfile() {
    List<String> faults = new ArrayList<>();
    String id = checkedId("source", source, faults);
    String switchIdentity = switchId == null ? id : checkedId("switch", switchId, faults);
    Format known = format == null ? null : Format.of(format).orElse(null);
    if (known == null) {
      faults.add("format: " + shown(format) + " (expected: one of " + Format.ids() + ")");
    }
    ZoneId zoneId = checkedZone(known, faults);
    String region = checkedCountry(faults);
    LegPolicy legPolicy = oneOf("legs", legs, LegPolicy.class, LegPolicy.A, faults);
    IdentityPolicy identityPolicy =
        oneOf("identity", identity, IdentityPolicy.class, IdentityPolicy.NATIVE, faults);
    List<String> names = checkedColumns(known, faults);
    if (!faults.isEmpty() || known == null) {
      throw new IllegalArgumentException(String.join("\n", faults));
    }
    return new SourceProfile(
        id, known, switchIdentity, zoneId, region, account, legPolicy, identityPolicy, names);
  }

  private static String checkedId(String name, @Nullable String value, List<String> faults) {
    if (value == null
        || value.isBlank()
        || value.length() > MAX_ID_LENGTH
        || value.chars().anyMatch(c -> c <= ' ' || c >= 127 || c == '/')) {
      faults.add(
          name
              + ": "
              + shown(value)
              + " (expected: 1 to "
              + MAX_ID_LENGTH
              + " printable ASCII characters, no blank and no '/')");
      return "";
    }
    return value;
  }

  private ZoneId checkedZone(@Nullable Format known, List<String> faults) {
    if (zone == null) {
      if (known != null && known.needsZone()) {
        faults.add(
            "zone: not given (expected for format "
                + known.id()
                + ": the zone of the switch's clock, such as Europe/Berlin; UTC if it writes UTC)");
      }
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      faults.add("zone: " + shown(zone) + " (expected: a zone of the tz database" + hint() + ")");
      return ZoneOffset.UTC;
    }
  }

  /** Names zones that end like the one written, because people forget the continent. */
  private String hint() {
    String wanted = String.valueOf(zone).toLowerCase(Locale.ROOT);
    String city = wanted.substring(wanted.lastIndexOf('/') + 1);
    Set<String> similar =
        city.length() < 3
            ? Set.of()
            : ZoneId.getAvailableZoneIds().stream()
                .filter(known -> known.toLowerCase(Locale.ROOT).endsWith(city))
                .limit(3)
                .collect(Collectors.toCollection(TreeSet::new));
    return similar.isEmpty()
        ? ", such as Europe/Berlin"
        : "; did you mean " + String.join(" or ", similar) + "?";
  }

  private @Nullable String checkedCountry(List<String> faults) {
    if (country == null) {
      return null;
    }
    if (!PhoneNumberUtil.getInstance().getSupportedRegions().contains(country)) {
      faults.add("country: " + shown(country) + " (expected: an ISO 3166 code, such as DE)");
    }
    return country;
  }

  private static <E extends Enum<E>> E oneOf(
      String name, @Nullable String value, Class<E> type, E absent, List<String> faults) {
    if (value == null) {
      return absent;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(value)) {
        return constant;
      }
    }
    faults.add(
        name
            + ": "
            + shown(value)
            + " (expected: one of "
            + Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "))
            + ")");
    return absent;
  }

  private List<String> checkedColumns(@Nullable Format known, List<String> faults) {
    if (columns == null) {
      return List.of();
    }
    List<String> names = Arrays.stream(columns.split(",", -1)).map(String::strip).toList();
    if (known != null && known != Format.ASTERISK && known != Format.FREESWITCH_CSV) {
      faults.add(
          "columns: "
              + shown(columns)
              + " (expected: nothing; files of format "
              + known.id()
              + " name their own)");
    }
    if (names.stream().anyMatch(String::isEmpty) || new HashSet<>(names).size() < names.size()) {
      faults.add("columns: " + shown(columns) + " (expected: different names between commas)");
    }
    return names;
  }

  private static String shown(@Nullable String value) {
    return value == null ? "not given" : "'" + CdrRules.shown(value) + "'";
  }
}
