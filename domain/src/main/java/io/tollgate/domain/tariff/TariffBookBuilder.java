package io.tollgate.domain.tariff;

import io.tollgate.domain.cdr.UsageType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a book in code.
 *
 * <pre>{@code
 * TariffBook book =
 *     TariffBook.builder(1)
 *         .plan(
 *             "flat",
 *             plan ->
 *                 plan.currency("EUR")
 *                     .rate(rate -> rate.voice("+44", "United Kingdom").perMinute("0.09"))
 *                     .rate(rate -> rate.voice("+49", "Germany").perMinute("0.05").increments(60, 1))
 *                     .rate(rate -> rate.sms("+49", "Germany").perUnit("0.07")))
 *         .assignDefault("flat")
 *         .build();
 * }</pre>
 */
public final class TariffBookBuilder {
  private final long version;
  private final List<RatePlan> plans = new ArrayList<>();
  private final List<HolidayCalendar> calendars = new ArrayList<>();
  private final List<Assignment> assignments = new ArrayList<>();

  TariffBookBuilder(long version) {
    this.version = version;
  }

  /** Adds a plan; EUR, UTC, half-up, 4 decimals and the default policies unless said otherwise. */
  public TariffBookBuilder plan(String name, UnaryOperator<PlanBuilder> plan) {
    plans.add(plan.apply(new PlanBuilder(name, version)).build());
    return this;
  }

  /** Adds a calendar. */
  public TariffBookBuilder calendar(String name, Map<LocalDate, String> days) {
    calendars.add(new HolidayCalendar(name, days));
    return this;
  }

  /** Assigns a plan to every account that has no other, for all time. */
  public TariffBookBuilder assignDefault(String plan) {
    return assign(Assignment.Kind.DEFAULT, "", plan, Validity.ALWAYS);
  }

  /** Assigns a plan to one account, for all time. */
  public TariffBookBuilder assignAccount(String account, String plan) {
    return assign(Assignment.Kind.ACCOUNT, account, plan, Validity.ALWAYS);
  }

  /** Assigns a plan for some time. */
  public TariffBookBuilder assign(
      Assignment.Kind kind, String key, String plan, Validity validity) {
    assignments.add(new Assignment(kind, key, plan, validity, version));
    return this;
  }

  /** Returns the book. */
  public TariffBook build() {
    return new TariffBook(version, plans, calendars, assignments);
  }

  /** Makes one plan. */
  public static final class PlanBuilder {
    private final String name;
    private final long version;
    private String currency = "EUR";
    private ZoneId zone = ZoneId.of("UTC");
    private RoundingMode roundingMode = RoundingMode.HALF_UP;
    private int decimals = 4;
    private BandCrossing bandCrossing = BandCrossing.INCREMENT_START;
    private IncrementMeaning incrementMeaning = IncrementMeaning.INITIAL_THEN_NEXT;
    private PriceChange priceChange = PriceChange.SPLIT;
    private StepMeaning stepMeaning = StepMeaning.GRADUATED;
    private boolean milliseconds;
    private final List<Band> bands = new ArrayList<>();
    private final List<FreeDestination> free = new ArrayList<>();
    private final List<RateRow> rates = new ArrayList<>();

    PlanBuilder(String name, long version) {
      this.name = name;
      this.version = version;
    }

    /** Sets the currency, ISO 4217. */
    public PlanBuilder currency(String code) {
      currency = code;
      return this;
    }

    /** Sets the time zone, for example {@code Europe/Berlin}. */
    public PlanBuilder zone(String id) {
      zone = ZoneId.of(id);
      return this;
    }

    /** Sets how the amount is rounded at the end, and to how many decimals. */
    public PlanBuilder rounding(RoundingMode mode, int toDecimals) {
      roundingMode = mode;
      decimals = toDecimals;
      return this;
    }

    /** Sets what happens when a call crosses bands. */
    public PlanBuilder bandCrossing(BandCrossing policy) {
      bandCrossing = policy;
      return this;
    }

    /** Sets what {@code initial/next} means. */
    public PlanBuilder increments(IncrementMeaning meaning) {
      incrementMeaning = meaning;
      return this;
    }

    /** Sets what happens when a price changes in the middle of a call. */
    public PlanBuilder priceChange(PriceChange policy) {
      priceChange = policy;
      return this;
    }

    /** Sets whether steps are graduated or by volume. */
    public PlanBuilder steps(StepMeaning meaning) {
      stepMeaning = meaning;
      return this;
    }

    /** Bills calls to the millisecond. */
    public PlanBuilder inMilliseconds() {
      milliseconds = true;
      return this;
    }

    /** Declares a band. */
    public PlanBuilder band(String bandName, When... rules) {
      bands.add(new Band(bandName, List.of(rules)));
      return this;
    }

    /** Declares one number free, for all time. */
    public PlanBuilder freeNumber(String number, String destination) {
      free.add(new FreeDestination(number, true, destination, Validity.ALWAYS, version));
      return this;
    }

    /** Declares all numbers that begin with {@code prefix} free, for all time. */
    public PlanBuilder freePrefix(String prefix, String destination) {
      free.add(new FreeDestination(prefix, false, destination, Validity.ALWAYS, version));
      return this;
    }

    /** Adds a rate. */
    public PlanBuilder rate(UnaryOperator<RateBuilder> rate) {
      rates.add(rate.apply(new RateBuilder(version)).build());
      return this;
    }

    RatePlan build() {
      return new RatePlan(
          name,
          currency,
          zone,
          roundingMode,
          decimals,
          bandCrossing,
          incrementMeaning,
          priceChange,
          stepMeaning,
          milliseconds,
          bands,
          free,
          rates,
          version);
    }
  }

  /** Makes one rate; for calls in increments of one second unless said otherwise. */
  public static final class RateBuilder {
    private long version;
    private UsageType usageType = UsageType.VOICE;
    private String prefix = "";
    private String destination = "anywhere";
    private String band = "";
    private long stepStart;
    private String connectionFee = "0";
    private String stepFee = "0";
    private String rate = "0";
    private long per = 60_000;
    private long initialIncrement = 1000;
    private long increment = 1000;
    private String minimumCharge = "0";
    private @Nullable String maximumCharge;
    private MaximumPolicy maximumPolicy = MaximumPolicy.CAP;
    private long freeUsage;
    private Validity validity = Validity.ALWAYS;

    RateBuilder(long version) {
      this.version = version;
    }

    /** Prices calls to numbers that begin with {@code toPrefix}. */
    public RateBuilder voice(String toPrefix, String destinationName) {
      return of(UsageType.VOICE, toPrefix, destinationName).per(60_000).rawIncrements(1000, 1000);
    }

    /** Prices text messages to numbers that begin with {@code toPrefix}. */
    public RateBuilder sms(String toPrefix, String destinationName) {
      return of(UsageType.SMS, toPrefix, destinationName);
    }

    /** Prices usage of any type, by one unit (a millisecond, a byte, a piece). */
    public RateBuilder of(UsageType type, String toPrefix, String destinationName) {
      usageType = type;
      prefix = toPrefix;
      destination = destinationName;
      return per(1).rawIncrements(1, 1);
    }

    /** Sets the band. */
    public RateBuilder band(String name) {
      band = name;
      return this;
    }

    /** Sets the usage from which on the price applies, in the unit of the usage type. */
    public RateBuilder from(long usage) {
      stepStart = usage;
      return this;
    }

    /** Sets a price per minute. */
    public RateBuilder perMinute(String price) {
      return rate(price).per(60_000);
    }

    /** Sets a price per second. */
    public RateBuilder perSecond(String price) {
      return rate(price).per(1000);
    }

    /** Sets a price per unit of the usage type. */
    public RateBuilder perUnit(String price) {
      return rate(price).per(1);
    }

    /** Sets the price of one {@link #per}. */
    public RateBuilder rate(String price) {
      rate = price;
      return this;
    }

    /** Sets the usage that the price pays for, in the unit of the usage type. */
    public RateBuilder per(long usage) {
      per = usage;
      return this;
    }

    /** Sets the first and the further increments, in seconds. */
    public RateBuilder increments(long initialSeconds, long nextSeconds) {
      return rawIncrements(
          Duration.ofSeconds(initialSeconds).toMillis(),
          Duration.ofSeconds(nextSeconds).toMillis());
    }

    /** Sets the first and the further increments, in the unit of the usage type. */
    public RateBuilder rawIncrements(long initialUsage, long nextUsage) {
      initialIncrement = initialUsage;
      increment = nextUsage;
      return this;
    }

    /** Sets the connection fee. */
    public RateBuilder connectionFee(String fee) {
      connectionFee = fee;
      return this;
    }

    /** Sets the fee for reaching this step. */
    public RateBuilder stepFee(String fee) {
      stepFee = fee;
      return this;
    }

    /** Sets the least charge. */
    public RateBuilder minimum(String charge) {
      minimumCharge = charge;
      return this;
    }

    /** Sets the greatest charge and what reaching it means. */
    public RateBuilder maximum(String charge, MaximumPolicy policy) {
      maximumCharge = charge;
      maximumPolicy = policy;
      return this;
    }

    /** Sets the usage that costs nothing, in the unit of the usage type. */
    public RateBuilder free(long usage) {
      freeUsage = usage;
      return this;
    }

    /** Sets when the rate is valid, as ISO instants. */
    public RateBuilder valid(String from, String to) {
      validity = Validity.between(Instant.parse(from), Instant.parse(to));
      return this;
    }

    /** Sets from when on the rate is valid, as an ISO instant. */
    public RateBuilder validFrom(String from) {
      validity = Validity.since(Instant.parse(from));
      return this;
    }

    /** Sets the validity. */
    public RateBuilder valid(Validity when) {
      validity = when;
      return this;
    }

    /** Sets the version that introduced the rate, if it is not the book's. */
    public RateBuilder version(long introducedBy) {
      version = introducedBy;
      return this;
    }

    RateRow build() {
      String maximum = maximumCharge;
      return new RateRow(
          usageType,
          prefix,
          destination,
          band,
          stepStart,
          new BigDecimal(connectionFee),
          new BigDecimal(stepFee),
          new BigDecimal(rate),
          per,
          initialIncrement,
          increment,
          new BigDecimal(minimumCharge),
          maximum == null ? null : new BigDecimal(maximum),
          maximumPolicy,
          freeUsage,
          validity,
          version);
    }
  }
}
