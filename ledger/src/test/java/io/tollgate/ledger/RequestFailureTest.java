package io.tollgate.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RequestFailureTest {

  static Stream<Arguments> table() {
    return Stream.of(
        arguments(new DriverTimeoutException("10 s"), RequestFailure.TIMED_OUT),
        arguments(
            new WriteTimeoutException(
                null, DefaultConsistencyLevel.LOCAL_QUORUM, 0, 1, WriteType.UNLOGGED_BATCH),
            RequestFailure.TIMED_OUT),
        arguments(
            new UnavailableException(null, DefaultConsistencyLevel.LOCAL_QUORUM, 2, 1),
            RequestFailure.UNAVAILABLE),
        arguments(new OverloadedException(null), RequestFailure.OVERLOADED),
        arguments(new BusyConnectionException(1024), RequestFailure.OVERLOADED),
        arguments(new RequestThrottlingException("full"), RequestFailure.OVERLOADED),
        arguments(new NoNodeAvailableException(), RequestFailure.NO_NODE),
        arguments(new ClosedConnectionException("lost"), RequestFailure.CONNECTION_LOST),
        arguments(new IOException("reset"), RequestFailure.CONNECTION_LOST),
        arguments(
            new WriteFailureException(
                null, DefaultConsistencyLevel.LOCAL_QUORUM, 0, 1, WriteType.SIMPLE, 1, Map.of()),
            RequestFailure.NODE_FAILED),
        arguments(new ServerError(null, "disk full"), RequestFailure.NODE_FAILED),
        arguments(new InvalidQueryException(null, "unconfigured table"), RequestFailure.REFUSED),
        arguments(new SyntaxError(null, "line 1"), RequestFailure.REFUSED),
        arguments(new UnauthorizedException(null, "no"), RequestFailure.REFUSED),
        arguments(new IllegalStateException("Session is closed"), RequestFailure.REFUSED),
        arguments(
            all(new UnauthorizedException(null, "no"), new ClosedConnectionException("lost")),
            RequestFailure.CONNECTION_LOST),
        arguments(all(new UnauthorizedException(null, "no")), RequestFailure.REFUSED));
  }

  @ParameterizedTest
  @MethodSource("table")
  void isToldApart(Throwable error, RequestFailure expected) {
    assertThat(RequestFailure.of(error)).isEqualTo(expected);
    assertThat(RequestFailure.of(new CompletionException(error))).isEqualTo(expected);
  }

  private static AllNodesFailedException all(Throwable... errors) {
    // Which node it was makes no difference: none is asked anything.
    Node node =
        (Node)
            Proxy.newProxyInstance(
                Node.class.getClassLoader(),
                new Class<?>[] {Node.class},
                (proxy, method, arguments) -> method.getName().equals("hashCode") ? 1 : null);
    List<Map.Entry<Node, Throwable>> perNode = new ArrayList<>();
    for (Throwable error : errors) {
      perNode.add(Map.entry(node, error));
    }
    return AllNodesFailedException.fromErrors(perNode);
  }
}
