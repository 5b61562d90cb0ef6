package io.tollgate.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A TCP proxy in front of a server, which cuts connections or loses answers when told to. */
final class FaultyNetwork implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final ServerSocket listener;
  private final int serverPort;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean isCut;
  private volatile boolean losesAnswers;

  FaultyNetwork(int serverPort) {
    this.serverPort = serverPort;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Breaks all connections and lets no new one through. */
  void cut() {
    isCut = true;
    closeSockets();
  }

  /** Lets requests through and swallows the answers. */
  void loseAnswers() {
    losesAnswers = true;
  }

  /** Works again; connections that have lost bytes are broken. */
  void mend() {
    losesAnswers = false;
    isCut = false;
    closeSockets();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    closeSockets();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (isCut) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.add(client);
        sockets.add(server);
        daemon(() -> pump(client, server, false));
        daemon(() -> pump(server, client, true));
      } catch (IOException e) {
        // Closed, or the server is down: the client sees a connection that ends.
      }
    }
  }

  private void pump(Socket from, Socket to, boolean isAnswer) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!isAnswer || !losesAnswers) {
          out.write(buffer, 0, read);
        }
      }
    } catch (IOException e) {
      // One side went away; leaving closes the other.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private void closeSockets() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "faulty-network");
    thread.setDaemon(true);
    thread.start();
  }
}
