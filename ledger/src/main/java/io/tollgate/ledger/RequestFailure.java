package io.tollgate.ledger;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.CDCWriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.TruncateException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Why a request got no good answer.
 *
 * <table>
 *   <caption>What is done about it</caption>
 *   <tr><th>failure</th><th>what happened</th><th>then</th></tr>
 *   <tr><td>TIMED_OUT</td><td>no answer in time; it may have been carried out</td><td>again</td></tr>
 *   <tr><td>UNAVAILABLE</td><td>too few replicas alive</td><td>again</td></tr>
 *   <tr><td>OVERLOADED</td><td>a node or connection has too much to do</td><td>again</td></tr>
 *   <tr><td>NO_NODE</td><td>no node is connected</td><td>again</td></tr>
 *   <tr><td>CONNECTION_LOST</td><td>the connection broke; it may have been carried
 *       out</td><td>again</td></tr>
 *   <tr><td>NODE_FAILED</td><td>a node met an error of its own, such as a full disk</td><td>again</td></tr>
 *   <tr><td>REFUSED</td><td>the statement, the user or the schema is wrong</td><td>give up</td></tr>
 * </table>
 *
 * Repeating is safe because statements are idempotent: the same row with the same timestamp.
 */
public enum RequestFailure {
  TIMED_OUT,
  UNAVAILABLE,
  OVERLOADED,
  NO_NODE,
  CONNECTION_LOST,
  NODE_FAILED,
  REFUSED;

  /** Returns whether trying again can help. */
  public boolean isRetried() {
    return this != REFUSED;
  }

  /** Returns what kind of failure an error of the driver is. */
  public static RequestFailure of(Throwable error) {
    Throwable cause = unwrapped(error);
    if (cause instanceof NoNodeAvailableException) {
      return NO_NODE;
    }
    if (cause instanceof AllNodesFailedException all) {
      return ofAll(all);
    }
    if (cause instanceof DriverTimeoutException
        || cause instanceof WriteTimeoutException
        || cause instanceof ReadTimeoutException
        || cause instanceof CASWriteUnknownException) {
      return TIMED_OUT;
    }
    if (cause instanceof UnavailableException || cause instanceof NodeUnavailableException) {
      return UNAVAILABLE;
    }
    if (cause instanceof OverloadedException
        || cause instanceof BootstrappingException
        || cause instanceof BusyConnectionException
        || cause instanceof RequestThrottlingException) {
      return OVERLOADED;
    }
    if (cause instanceof ClosedConnectionException
        || cause instanceof HeartbeatException
        || cause instanceof ConnectionInitException
        || cause instanceof IOException
        || cause instanceof UnresolvedAddressException) {
      return CONNECTION_LOST;
    }
    if (cause instanceof WriteFailureException
        || cause instanceof ReadFailureException
        || cause instanceof CDCWriteFailureException
        || cause instanceof TruncateException
        || cause instanceof ServerError) {
      return NODE_FAILED;
    }
    return REFUSED;
  }

  /** Returns the error itself, without the wrapping of futures. */
  static Throwable unwrapped(Throwable error) {
    Throwable cause = error;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** A request that failed on several nodes can be tried again if it can on any of them. */
  private static RequestFailure ofAll(AllNodesFailedException all) {
    return all.getAllErrors().values().stream()
        .flatMap(Collection::stream)
        .map(RequestFailure::of)
        .filter(RequestFailure::isRetried)
        .findFirst()
        .orElse(all.getAllErrors().isEmpty() ? NO_NODE : REFUSED);
  }

  /** All kinds that are tried again, for those who count each. */
  public static List<RequestFailure> retried() {
    return List.of(values()).stream().filter(RequestFailure::isRetried).toList();
  }
}
