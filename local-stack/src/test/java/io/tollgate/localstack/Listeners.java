package io.tollgate.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The addresses on which processes listen, as the kernel writes them. */
final class Listeners {
  private static final String LISTEN = "0A";
  private static final String LOOPBACK_4 = "0100007F";
  private static final String LOOPBACK_4_IN_6 = "0000000000000000FFFF00000100007F";
  private static final String LOOPBACK_6 = "00000000000000000000000001000000";

  private Listeners() {}

  /** Returns address:port in hexadecimal for each listening TCP socket of the processes. */
  static List<String> of(List<Long> pids) throws IOException {
    Set<String> inodes = new HashSet<>();
    for (long pid : pids) {
      try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
        for (Path descriptor : descriptors.toList()) {
          String target = target(descriptor);
          if (target.startsWith("socket:[")) {
            inodes.add(target.substring("socket:[".length(), target.length() - 1));
          }
        }
      }
    }
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[3].equals(LISTEN) && inodes.contains(fields[9])) {
          addresses.add(fields[1]);
        }
      }
    }
    return addresses;
  }

  static boolean isLoopback(String address) {
    String host = address.substring(0, address.indexOf(':'));
    return host.equals(LOOPBACK_4) || host.equals(LOOPBACK_4_IN_6) || host.equals(LOOPBACK_6);
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // Closed between the listing and this look.
      return "";
    }
  }
}
