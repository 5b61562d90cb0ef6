package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several statements one after the other, a page at a time. The first pages of the next
 * statements are asked for ahead, up to a bound, and so is the next page of the current one.
 */
final class PagedRows<T> implements Iterator<T> {
  private final Function<BoundStatement, CompletionStage<AsyncResultSet>> execute;
  private final Iterator<BoundStatement> statements;
  private final int ahead;
  private final Function<Row, T> reading;
  private final Deque<Page> asked = new ArrayDeque<>();
  private Iterator<Row> rows = Collections.emptyIterator();

  PagedRows(
      Function<BoundStatement, CompletionStage<AsyncResultSet>> execute,
      List<BoundStatement> statements,
      int ahead,
      Function<Row, T> reading) {
    this.reading = reading;
    this.execute = execute;
    this.statements = statements.iterator();
    this.ahead = ahead;
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext()) {
      askAhead();
      Page next = asked.poll();
      if (next == null) {
        return false;
      }
      AsyncResultSet page = LedgerReader.await(next.answer);
      BoundStatement rest = restOf(next.statement, page);
      if (rest != null) {
        asked.addFirst(ask(rest));
      }
      rows = page.currentPage().iterator();
    }
    return true;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return reading.apply(rows.next());
  }

  private void askAhead() {
    while (asked.size() < ahead && statements.hasNext()) {
      asked.add(ask(statements.next()));
    }
  }

  private Page ask(BoundStatement statement) {
    return new Page(statement, execute.apply(statement));
  }

  private static @Nullable BoundStatement restOf(BoundStatement statement, AsyncResultSet page) {
    return page.hasMorePages()
        ? statement.setPagingState(page.getExecutionInfo().getPagingState())
        : null;
  }

  /** A page that was asked for. */
  private record Page(BoundStatement statement, CompletionStage<AsyncResultSet> answer) {}
}
