package io.tollgate.cli;

import io.tollgate.localstack.CommandResult;
import io.tollgate.localstack.LocalStack;
import java.nio.file.Path;

/** Submits the rating job with Flink's own command line. */
final class JobSubmission {
  private JobSubmission() {}

  /**
   * Submits the job without state, two subtasks wide.
   *
   * @param home folder of the project, where the job's jar was built
   */
  static void fresh(LocalStack stack, Path home, Path configFile) {
    CommandResult result =
        stack
            .flinkCli()
            .run(
                "run",
                "-d",
                "-p",
                "2",
                home.resolve("rating-job/target/rating-job.jar").toString(),
                "--config",
                configFile.toString(),
                "--fresh");
    if (!result.succeeded()) {
      throw new IllegalStateException("flink run failed:\n" + result.output());
    }
  }
}
