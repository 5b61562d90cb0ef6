package io.tollgate.localstack;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Asks a server one question in its own protocol. An open port alone does not mean that it serves.
 */
final class Probe {
  private static final int TIMEOUT_MILLIS = 1_000;

  /** Reads the answer and says whether it is the one of a server that serves. */
  interface Answer {
    boolean isGood(DataInputStream in) throws IOException;
  }

  private Probe() {}

  static boolean ask(int port, byte[] question, Answer answer) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(question);
      out.flush();
      return answer.isGood(new DataInputStream(socket.getInputStream()));
    } catch (IOException e) {
      return false;
    }
  }
}
