package io.tollgate.localstack;

import java.util.List;

/** How all servers of a stack are at one moment. */
public record StackStatus(List<ServerStatus> servers) {
  public StackStatus {
    servers = List.copyOf(servers);
  }

  /** Returns the memory that all servers hold together, in bytes. */
  public long residentBytes() {
    return servers.stream().mapToLong(server -> server.residentBytes().orElse(0L)).sum();
  }

  public boolean allRunning() {
    return servers.stream().allMatch(server -> server.state() == ServerStatus.State.RUNNING);
  }
}
