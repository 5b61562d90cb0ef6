package io.tollgate.localstack;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Makes the JDK's HTTP server listen on the loopback address where it is asked for all addresses.
 *
 * <p>Flink's Prometheus reporter has a port but no address to configure, and nothing of the local
 * stack may be reached from outside. Flink's processes are started with this class named in the
 * property com.sun.net.httpserver.HttpServerProvider.
 */
public final class LoopbackHttpServerProvider extends HttpServerProvider {
  private static final String DEFAULT = "sun.net.httpserver.DefaultHttpServerProvider";

  private final HttpServerProvider provider;

  /**
   * Called by the JDK.
   *
   * @throws ReflectiveOperationException if this JDK keeps its own provider elsewhere
   */
  public LoopbackHttpServerProvider() throws ReflectiveOperationException {
    this.provider =
        Class.forName(DEFAULT)
            .asSubclass(HttpServerProvider.class)
            .getDeclaredConstructor()
            .newInstance();
  }

  @Override
  public HttpServer createHttpServer(InetSocketAddress address, int backlog) throws IOException {
    return provider.createHttpServer(onLoopback(address), backlog);
  }

  @Override
  public HttpsServer createHttpsServer(InetSocketAddress address, int backlog) throws IOException {
    return provider.createHttpsServer(onLoopback(address), backlog);
  }

  private static InetSocketAddress onLoopback(InetSocketAddress address) {
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
        : address;
  }
}
