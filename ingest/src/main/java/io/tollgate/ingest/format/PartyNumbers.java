package io.tollgate.ingest.format;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.PhoneNumberUtil.ValidationResult;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes the numbers of a switch that stands in one country.
 *
 * <table>
 *   <caption>Rules, the first that applies</caption>
 *   <tr><th>written</th><th>becomes</th></tr>
 *   <tr><td>{@code sip:}, {@code sips:} or {@code tel:} address, with or without angle
 *       brackets</td><td>what stands before {@code @} and {@code ;}, by these rules</td></tr>
 *   <tr><td>{@code anonymous}, {@code unknown}, {@code restricted}, {@code private}, {@code
 *       unavailable}, in any case</td><td>empty</td></tr>
 *   <tr><td>something else than digits, a leading {@code +} and the marks {@code -./() }</td>
 *       <td>as it stands: a name, a feature code</td></tr>
 *   <tr><td>{@code +} and digits</td><td>E.164</td></tr>
 *   <tr><td>the country's international prefix ({@code 00}, in the US {@code 011})</td>
 *       <td>E.164</td></tr>
 *   <tr><td>the country's trunk prefix ({@code 0}) and a number of possible length</td>
 *       <td>E.164 of the country</td></tr>
 *   <tr><td>a country without the trunk prefix {@code 0}: a national number of possible length</td>
 *       <td>E.164 of the country</td></tr>
 *   <tr><td>11 to 15 digits that are a number of possible length after a {@code +}</td>
 *       <td>E.164</td></tr>
 *   <tr><td>anything else</td><td>its digits: an extension, a short code</td></tr>
 * </table>
 *
 * <p>Possible, not valid: numbering plans change faster than this library, and a number that was
 * dialled and answered exists. The plans it does know are part of the result, so all collectors of
 * a switch must run the same version of Tollgate.
 */
final class PartyNumbers {
  private static final Set<String> WITHHELD =
      Set.of("anonymous", "unknown", "restricted", "private", "unavailable");
  private static final int MIN_INTERNATIONAL_DIGITS = 11;
  private static final int MAX_INTERNATIONAL_DIGITS = 15;
  private static final int MAX_INPUT_LENGTH = 64;
  private static final int MAX_REMEMBERED = 20_000;

  private final PhoneNumberUtil plans = PhoneNumberUtil.getInstance();
  private final Map<String, String> remembered = new HashMap<>();
  private final @Nullable String country;
  private final boolean trunkZero;

  PartyNumbers(@Nullable String country) {
    this.country = country;
    this.trunkZero = country != null && "0".equals(plans.getNddPrefixForRegion(country, true));
  }

  /** Returns {@code written} normalized. */
  String normalize(String written) {
    String known = remembered.get(written);
    if (known != null) {
      return known;
    }
    String number = normalized(written);
    // Reading a number costs some microseconds and people call the same ones; forgetting all of
    // them now and then costs nothing and keeps the memory bounded.
    if (remembered.size() >= MAX_REMEMBERED) {
      remembered.clear();
    }
    remembered.put(written, number);
    return number;
  }

  private String normalized(String written) {
    String user = userPart(written.strip());
    if (WITHHELD.contains(user.toLowerCase(Locale.ROOT))) {
      return "";
    }
    if (user.length() > MAX_INPUT_LENGTH || !isNumber(user)) {
      return user;
    }
    String digits = withoutMarks(user);
    if (digits.startsWith("+")) {
      String e164 = e164(user, null);
      return e164 != null ? e164 : digits;
    }
    String national = country == null ? null : nationalForm(user, digits);
    if (national != null) {
      return national;
    }
    if (digits.length() >= MIN_INTERNATIONAL_DIGITS
        && digits.length() <= MAX_INTERNATIONAL_DIGITS
        && digits.charAt(0) != '0') {
      String e164 = e164("+" + digits, null);
      return e164 != null ? e164 : digits;
    }
    return digits;
  }

  /** Reads a number that begins with a prefix of the country, or is a whole national number. */
  private @Nullable String nationalForm(String user, String digits) {
    if (digits.startsWith("0") || !trunkZero) {
      return e164(user, country);
    }
    return null;
  }

  private @Nullable String e164(String number, @Nullable String region) {
    try {
      PhoneNumber parsed = plans.parse(number, region);
      if (plans.isPossibleNumberWithReason(parsed) != ValidationResult.IS_POSSIBLE) {
        return null;
      }
      return plans.format(parsed, PhoneNumberFormat.E164);
    } catch (NumberParseException e) {
      return null;
    }
  }

  private static String userPart(String written) {
    String address = written;
    if (address.startsWith("<") && address.endsWith(">")) {
      address = address.substring(1, address.length() - 1);
    }
    String lower = address.toLowerCase(Locale.ROOT);
    for (String scheme : new String[] {"sip:", "sips:", "tel:"}) {
      if (lower.startsWith(scheme)) {
        String user = address.substring(scheme.length());
        return before(before(user, '@'), ';');
      }
    }
    return address;
  }

  private static String before(String text, char mark) {
    int at = text.indexOf(mark);
    return at < 0 ? text : text.substring(0, at);
  }

  private static boolean isNumber(String user) {
    boolean digits = false;
    for (int i = 0; i < user.length(); i++) {
      char c = user.charAt(i);
      if (c >= '0' && c <= '9') {
        digits = true;
      } else if (!(c == '+' && i == 0) && " -./()".indexOf(c) < 0) {
        return false;
      }
    }
    return digits;
  }

  private static String withoutMarks(String user) {
    StringBuilder digits = new StringBuilder(user.length());
    for (int i = 0; i < user.length(); i++) {
      if (" -./()".indexOf(user.charAt(i)) < 0) {
        digits.append(user.charAt(i));
      }
    }
    return digits.toString();
  }
}
