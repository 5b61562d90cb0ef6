package io.tollgate.acceptance;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between modules. */
@AnalyzeClasses(packages = "io.tollgate", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule DOMAIN_DEPENDS_ON_NOTHING_OF_OURS =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.domain..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.tollgate.config..",
              "io.tollgate.wire..",
              "io.tollgate.ledger..",
              "io.tollgate.settlement..",
              "io.tollgate.pricing..",
              "io.tollgate.ingest..",
              "io.tollgate.rating..",
              "io.tollgate.localstack..",
              "io.tollgate.cli..")
          .because("rating must be the same everywhere, and so knows nothing of where it runs");

  @ArchTest
  static final ArchRule DOMAIN_IS_PURE =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.domain..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "org.apache..",
                      "com.datastax..",
                      "java.nio.file..",
                      "java.nio.channels..",
                      "java.net..",
                      "java.sql..")
                  .or(assignableTo(java.io.File.class))
                  .or(assignableTo(java.io.FileInputStream.class))
                  .or(assignableTo(java.io.FileOutputStream.class)))
          .because("no Flink and no I/O in the domain");

  @ArchTest
  static final ArchRule DOMAIN_HAS_NO_CLOCK =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.domain..")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .because("rating is a pure function of the CDR and the tariff history");

  /**
   * So clocks of two TaskManagers that differ change nothing: what was first is told by numbers of
   * the ledger, and time by the records and by the broker. Submission may say when it happened.
   */
  @ArchTest
  static final ArchRule CHARGING_READS_NO_WALL_CLOCK =
      noClasses()
          .that()
          .resideInAnyPackage("io.tollgate.rating..", "io.tollgate.ledger..", "io.tollgate.wire..")
          .and()
          .doNotHaveFullyQualifiedName("io.tollgate.rating.RatingJob")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(java.time.Clock.class, "systemUTC")
          .orShould()
          .callMethod(java.time.InstantSource.class, "system")
          .because("no outcome and no row may depend on a machine's clock");

  @ArchTest
  static final ArchRule LEDGER_DEPENDS_ON_DOMAIN_ONLY =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.ledger..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.tollgate.config..",
              "io.tollgate.wire..",
              "io.tollgate.settlement..",
              "io.tollgate.pricing..",
              "io.tollgate.ingest..",
              "io.tollgate.rating..",
              "io.tollgate.cli..",
              "org.apache.flink..",
              "org.apache.kafka..")
          .because("every job reads and writes the same ledger by the same code");

  @ArchTest
  static final ArchRule SETTLEMENT_DEPENDS_ON_DOMAIN_ONLY =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.settlement..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.tollgate.config..",
              "io.tollgate.wire..",
              "io.tollgate.ledger..",
              "io.tollgate.pricing..",
              "io.tollgate.ingest..",
              "io.tollgate.rating..",
              "io.tollgate.localstack..",
              "io.tollgate.cli..",
              "org.apache.flink..",
              "org.apache.kafka..")
          .because("what is settled is decided in the database, whoever runs it");

  @ArchTest
  static final ArchRule SETTLEMENT_READS_NO_WALL_CLOCK =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.settlement..")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .because("quiet times are measured on one clock, that of the caller");

  @ArchTest
  static final ArchRule ONLY_THE_JOBS_KNOW_FLINK =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.tollgate.source..",
              "io.tollgate.rating..",
              "io.tollgate.reconcile..",
              "io.tollgate.rerate..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.flink..")
          .because("what Flink runs and what it computes are changed for different reasons");

  @ArchTest
  static final ArchRule RATING_DOES_NOT_KNOW_WHO_PROVES_IT =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.rating..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.tollgate.reconcile..", "io.tollgate.rerate..", "io.tollgate.settlement..")
          .because("no job depends on another: they share the domain and the topics");

  @ArchTest
  static final ArchRule RECONCILIATION_DOES_NOT_KNOW_HOW_RATING_WORKS =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.reconcile..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.tollgate.rating..",
              "io.tollgate.rerate..",
              "io.tollgate.ingest..",
              "io.tollgate.pricing..",
              "io.tollgate.localstack..",
              "io.tollgate.cli..")
          .because("what proves the rating job must not share its faults");

  @ArchTest
  static final ArchRule COMPARISONS_ARE_FREE_OF_FLINK =
      noClasses()
          .that()
          .haveNameMatching(
              "io\\.tollgate\\.reconcile\\..*(Judgement|Reading|Batch|BatchState|Status|Suspicions"
                  + "|Tally|SourceWatch|HaltPolicy|HaltExecutor|StopDecision)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.flink..")
          .because("what is decided is tested without a cluster");

  @ArchTest
  static final ArchRule LOCAL_STACK_KNOWS_NOTHING_OF_OURS =
      noClasses()
          .that()
          .resideInAPackage("io.tollgate.localstack..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.tollgate.domain..",
              "io.tollgate.config..",
              "io.tollgate.wire..",
              "io.tollgate.ledger..",
              "io.tollgate.settlement..",
              "io.tollgate.ingest..",
              "io.tollgate.rating..",
              "io.tollgate.cli..")
          .because("it starts servers, whatever they are used for");

  @ArchTest
  static final ArchRule NOTHING_DEPENDS_ON_THE_COMMAND_LINE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.tollgate.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.tollgate.cli..");

  @ArchTest
  static final ArchRule MODULES_HAVE_NO_CYCLES =
      slices().matching("io.tollgate.(*)..").should().beFreeOfCycles();
}
