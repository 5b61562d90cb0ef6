package io.tollgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.cli.Tollgate;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** {@code ./tollgate demo}, as a user would see it. */
class DemoITCase {
  @Test
  void endsWithATableAndEverythingRight() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Tollgate.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("demo");
    assertThat(exitCode).as("%s%n%s", out, err).isZero();
    assertThat(out.toString())
        .contains(
            "All right: every record has one outcome",
            "asterisk",
            "freeswitch-json",
            "cucm",
            "OTHER_CONTENT",
            "NO_DESTINATION",
            "BAD_LINE",
            "INDISTINGUISHABLE",
            "Dashboard: http://127.0.0.1:");
  }
}
