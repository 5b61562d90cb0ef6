package io.tollgate.localstack;

import java.util.List;

/** How all servers of a stack are at one moment. */
public record StackStatus(List<ServerStatus> servers) {
  public StackStatus {
    servers = List.copyOf(servers);
  }

  public boolean allRunning() {
    return servers.stream().allMatch(server -> server.state() == ServerStatus.State.RUNNING);
  }
}
