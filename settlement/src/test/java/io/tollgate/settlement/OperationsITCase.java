package io.tollgate.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgate.settlement.Operations.Replay;
import io.tollgate.settlement.Operations.Savepoint;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class OperationsITCase {
  private Connection connection;
  private Operations operations;

  @BeforeEach
  void open() throws SQLException {
    connection = PostgresExtension.connect(PostgresExtension.newMigratedDatabase());
    operations = new Operations(connection);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void shouldListTheNewestSavepointFirstAndNoneThatIsDropped() throws SQLException {
    Savepoint first = new Savepoint("/s/1", "j", "tollgate-rating", 1, "ann", "before");
    Savepoint second = new Savepoint("/s/2", "j", "tollgate-rating", 2, "ann", "after");
    operations.taken(first);
    operations.taken(first);
    operations.taken(second);
    assertThat(operations.savepoints(5)).containsExactly(second, first);
    assertThat(operations.savepoints(1)).containsExactly(second);

    operations.dropped("/s/2", "bob", 3);
    assertThat(operations.savepoints(5)).containsExactly(first);
  }

  @Test
  void shouldKeepOfAReplayHowItBeganAndHowFarItCame() throws SQLException {
    operations.replay(replay("a test", "", "", -1, -1));
    Replay done = replay("another reason", "/s/9", "j2", 7, 9);
    operations.replay(done);
    assertThat(operations.replays(5)).containsExactly(replay("a test", "/s/9", "j2", 7, 9));
  }

  private static Replay replay(
      String reason, String stoppedAt, String job, long filled, long finishedMillis) {
    return new Replay(
        "r1", "/s/1", 5, "ann", reason, stoppedAt, job, 100, 90, 10, filled, finishedMillis);
  }
}
