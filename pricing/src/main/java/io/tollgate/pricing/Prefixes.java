package io.tollgate.pricing;

import io.tollgate.pricing.Cells.UnreadableException;

/**
 * Reads a destination prefix of calls and messages.
 *
 * <table>
 *   <caption>What is written and what it means</caption>
 *   <tr><th>written</th><th>{@code prefixes: international}</th><th>{@code prefixes: literal}</th></tr>
 *   <tr><td>{@code +4930}</td><td>+4930</td><td>+4930</td></tr>
 *   <tr><td>{@code 4930}</td><td>+4930: spreadsheets drop the plus</td><td>4930</td></tr>
 *   <tr><td>{@code +44 7700}</td><td>+447700</td><td>+447700</td></tr>
 *   <tr><td>{@code short:22555}</td><td>22555, a number without country</td><td>22555</td></tr>
 *   <tr><td>{@code 0049}, {@code 030}</td><td>refused: no country code begins with 0</td>
 *       <td>0049, 030</td></tr>
 *   <tr><td>{@code *} or nothing</td><td colspan="2">every number that no other row matches</td></tr>
 *   <tr><td>{@code 4.49E+11}</td><td colspan="2">refused: destroyed by a spreadsheet</td></tr>
 * </table>
 */
final class Prefixes {
  private static final String SHORT = "short:";
  private static final int MAX_LENGTH = 32;

  private Prefixes() {}

  static String read(String text, boolean isInternational) throws UnreadableException {
    String compact = text.indexOf(' ') < 0 ? text : text.replace(" ", "");
    if (compact.isEmpty() || compact.equals("*")) {
      return "";
    }
    if (compact.startsWith(SHORT)) {
      return dialable(compact.substring(SHORT.length()));
    }
    if (compact.length() > MAX_LENGTH) {
      throw new UnreadableException("at most " + MAX_LENGTH + " characters");
    }
    String number = dialable(compact);
    if (!isInternational || number.charAt(0) == '+') {
      return number;
    }
    if (number.charAt(0) == '0') {
      throw new UnreadableException(
          "a country code first, such as +4930; short:" + number + " for a number without country");
    }
    return Character.isDigit(number.charAt(0)) ? "+" + number : number;
  }

  private static String dialable(String number) throws UnreadableException {
    boolean isDialable = !number.isEmpty();
    for (int i = 0; i < number.length(); i++) {
      char c = number.charAt(i);
      isDialable &= (c >= '0' && c <= '9') || c == '*' || c == '#' || (c == '+' && i == 0);
    }
    if (!isDialable && number.matches("[0-9]+([.,][0-9]+)?[eE]\\+?[0-9]+")) {
      throw new UnreadableException(
          "all digits; a spreadsheet made scientific notation of it, format the column as text");
    }
    if (!isDialable || number.equals("+")) {
      throw new UnreadableException("digits, with + before a country code, such as +4930");
    }
    return number;
  }
}
