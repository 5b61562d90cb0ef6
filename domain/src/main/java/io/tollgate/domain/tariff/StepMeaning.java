package io.tollgate.domain.tariff;

/**
 * How the steps of a price apply to usage. Step starts are 0, 10 and 20 units here, at 10, 5 and 5
 * a unit, with step fees of 2, 3 and 3.
 *
 * <table>
 *   <caption>Amounts</caption>
 *   <tr><th>meaning</th><th>1</th><th>10</th><th>11</th></tr>
 *   <tr><td>GRADUATED</td><td>2 + 10 = 12</td><td>2 + 100 = 102</td><td>2 + 100 + 3 + 5 = 110</td></tr>
 *   <tr><td>VOLUME</td><td>2 + 10 = 12</td><td>2 + 100 = 102</td><td>3 + 55 = 58</td></tr>
 * </table>
 */
public enum StepMeaning {
  /** Each part of the usage has the price of the step it falls into. The default. */
  GRADUATED,
  /** The whole usage has the price of the step that its total falls into. */
  VOLUME
}
