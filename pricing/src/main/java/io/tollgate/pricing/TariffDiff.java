package io.tollgate.pricing;

import io.tollgate.domain.cdr.Cdr;
import io.tollgate.domain.rating.Rater;
import io.tollgate.domain.rating.Rating;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * What the same usage costs under two books. Memory grows with destinations and accounts, not with
 * records.
 */
public final class TariffDiff {
  private final Rater old;
  private final Rater changed;
  private final int movers;
  private final Map<Key, Sum> byDestination = new TreeMap<>(Key.ORDER);
  private final Map<Key, Sum> byAccount = new TreeMap<>(Key.ORDER);
  private final PriorityQueue<Mover> largest =
      new PriorityQueue<>(Comparator.comparing(mover -> mover.difference().abs()));
  private long records;
  private long differing;

  /**
   * @param movers how many of the records that change most to keep
   */
  public TariffDiff(Rater old, Rater changed, int movers) {
    this.old = old;
    this.changed = changed;
    this.movers = movers;
  }

  /**
   * What sums are kept by.
   *
   * @param name destination or account
   * @param currency ISO 4217; empty if there is no price in either book
   */
  public record Key(String name, String currency) {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::name).thenComparing(Key::currency);
  }

  /**
   * Sums of a destination or an account.
   *
   * @param records number of records
   * @param differing how many of them cost something else, or have a price in one book only
   * @param oldAmount sum under the old book
   * @param newAmount sum under the new book
   * @param oldUnpriced records without a price under the old book
   * @param newUnpriced records without a price under the new book
   */
  public record Sum(
      long records,
      long differing,
      BigDecimal oldAmount,
      BigDecimal newAmount,
      long oldUnpriced,
      long newUnpriced) {
    private static final Sum NONE = new Sum(0, 0, BigDecimal.ZERO, BigDecimal.ZERO, 0, 0);

    /** Returns how much more the new book charges. */
    public BigDecimal difference() {
      return newAmount.subtract(oldAmount);
    }
  }

  /**
   * A record whose price moves.
   *
   * @param cdr the record
   * @param oldRating under the old book
   * @param newRating under the new book
   * @param difference how much more it costs under the new book
   */
  public record Mover(Cdr cdr, Rating oldRating, Rating newRating, BigDecimal difference) {}

  /** Adds a record. */
  public void add(Cdr cdr) {
    Rating before = old.rate(cdr);
    Rating after = changed.rate(cdr);
    boolean differs = differs(before, after);
    records++;
    differing += differs ? 1 : 0;
    if (currency(before).isEmpty()
        || currency(after).isEmpty()
        || currency(before).equals(currency(after))) {
      String currency = currency(before).isEmpty() ? currency(after) : currency(before);
      add(byDestination, new Key(destination(before, after), currency), before, after, differs);
      add(byAccount, new Key(cdr.accountId(), currency), before, after, differs);
    } else {
      // Another currency: what it cost goes, what it costs comes.
      Rating none = new Rating.Unpriced(io.tollgate.domain.outcome.Reason.NO_PLAN, "");
      String name = destination(before, after);
      add(byDestination, new Key(name, currency(before)), before, none, true);
      add(byDestination, new Key(name, currency(after)), none, after, true);
      add(byAccount, new Key(cdr.accountId(), currency(before)), before, none, true);
      add(byAccount, new Key(cdr.accountId(), currency(after)), none, after, true);
    }
    if (differs) {
      largest.add(new Mover(cdr, before, after, amount(after).subtract(amount(before))));
      if (largest.size() > movers) {
        largest.poll();
      }
    }
  }

  /** Returns how many records were added. */
  public long records() {
    return records;
  }

  /** Returns how many of them cost something else, or have a price in one book only. */
  public long differing() {
    return differing;
  }

  /** Returns the sums by destination, those that move most first. */
  public List<Map.Entry<Key, Sum>> byDestination() {
    return sorted(byDestination);
  }

  /** Returns the sums by account, those that move most first. */
  public List<Map.Entry<Key, Sum>> byAccount() {
    return sorted(byAccount);
  }

  /** Returns the records that move most, the largest first. */
  public List<Mover> movers() {
    List<Mover> sorted = new ArrayList<>(largest);
    sorted.sort(
        Comparator.comparing((Mover mover) -> mover.difference().abs())
            .reversed()
            .thenComparing(mover -> mover.cdr().eventId()));
    return sorted;
  }

  private static List<Map.Entry<Key, Sum>> sorted(Map<Key, Sum> sums) {
    List<Map.Entry<Key, Sum>> entries = new ArrayList<>(sums.entrySet());
    entries.sort(
        Comparator.comparing((Map.Entry<Key, Sum> entry) -> entry.getValue().difference().abs())
            .reversed());
    return entries;
  }

  private static void add(
      Map<Key, Sum> sums, Key key, Rating before, Rating after, boolean differs) {
    Sum sum = sums.getOrDefault(key, Sum.NONE);
    sums.put(
        key,
        new Sum(
            sum.records + 1,
            sum.differing + (differs ? 1 : 0),
            sum.oldAmount.add(amount(before)),
            sum.newAmount.add(amount(after)),
            sum.oldUnpriced + (before instanceof Rating.Unpriced ? 1 : 0),
            sum.newUnpriced + (after instanceof Rating.Unpriced ? 1 : 0)));
  }

  private static boolean differs(Rating before, Rating after) {
    if (before instanceof Rating.Priced one && after instanceof Rating.Priced other) {
      return one.amount().compareTo(other.amount()) != 0
          || !one.currency().equals(other.currency());
    }
    return before instanceof Rating.Priced || after instanceof Rating.Priced;
  }

  private static BigDecimal amount(Rating rating) {
    return rating instanceof Rating.Priced priced ? priced.amount() : BigDecimal.ZERO;
  }

  private static String currency(Rating rating) {
    return rating instanceof Rating.Priced priced ? priced.currency() : "";
  }

  private static String destination(Rating before, Rating after) {
    Rating named = after instanceof Rating.Priced ? after : before;
    if (named instanceof Rating.Priced priced) {
      return priced.destination().isEmpty() ? "unanswered" : priced.destination();
    }
    return "no price";
  }
}
