package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Sends rows as one unlogged batch to a replica of their partition. */
final class CassandraTransport implements ChargeTransport {
  private final LedgerSession session;
  private final PreparedStatement insert;

  CassandraTransport(LedgerSession session) {
    this.session = session;
    insert =
        session
            .cql()
            .prepare(
                "INSERT INTO "
                    + session.keyspace()
                    + "."
                    + LedgerSchema.CHARGES
                    + " (usage_hour, bucket, account_id, event_id, revision, charge)"
                    + " VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ?");
  }

  @Override
  public CompletionStage<?> send(RowBatch batch) {
    return session.cql().executeAsync(statement(batch));
  }

  private Statement<?> statement(RowBatch batch) {
    List<BoundStatement> statements = new ArrayList<>(batch.rows().size());
    for (RowBatch.Row row : batch.rows()) {
      statements.add(bind(batch, row));
    }
    if (statements.size() == 1) {
      return statements
          .get(0)
          .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
          .setIdempotent(true);
    }
    // Unlogged: the rows share their partition and so one mutation, which is atomic by itself.
    BatchStatementBuilder request =
        BatchStatement.builder(BatchType.UNLOGGED)
            .addStatements(List.copyOf(statements))
            .setRoutingKeyspace(session.keyspace())
            .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
            .setIdempotence(true);
    ByteBuffer routingKey = statements.get(0).getRoutingKey();
    if (routingKey != null) {
      request.setRoutingKey(routingKey);
    }
    return request.build();
  }

  private BoundStatement bind(RowBatch batch, RowBatch.Row row) {
    return insert
        .boundStatementBuilder()
        .setInt(0, batch.usageHour())
        .setInt(1, batch.bucket())
        .setString(2, row.accountId())
        .setString(3, row.eventId())
        .setLong(4, row.revision())
        .setBytesUnsafe(5, row.cell().duplicate())
        .setLong(6, row.timestamp())
        .build();
  }
}
