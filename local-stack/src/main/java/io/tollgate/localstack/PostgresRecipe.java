package io.tollgate.localstack;

import io.tollgate.localstack.process.Signal;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A PostgreSQL server with one empty database. */
final class PostgresRecipe implements Recipe {
  static final String USER = "postgres";
  static final String DATABASE = "postgres";

  private static final Duration HELPER_PATIENCE = Duration.ofSeconds(60);
  private static final int PROTOCOL = 3 << 16;

  private final ServerFiles files;
  private final Ports ports;
  private final PostgresBinaries binaries;

  PostgresRecipe(Path dataDir, Ports ports, Artifacts artifacts) {
    this.files = new ServerFiles(dataDir.resolve("postgres"), "postgres");
    this.ports = ports;
    this.binaries = new PostgresBinaries(artifacts);
  }

  @Override
  public ServerFiles files() {
    return files;
  }

  @Override
  public String address() {
    return "127.0.0.1:" + ports.postgres();
  }

  @Override
  public List<Integer> ports() {
    return List.of(ports.postgres());
  }

  @Override
  public Signal politeSignal() {
    // TERM would wait until the last client has gone.
    return Signal.INT;
  }

  /** {@inheritDoc} It writes its log to where it prints. */
  @Override
  public Path log() {
    return files.output();
  }

  @Override
  public String marker() {
    return data().toString();
  }

  @Override
  public Launch prepare() throws IOException {
    Path bin = binaries.unpacked().resolve("bin");
    UnprivilegedUser user = UnprivilegedUser.choose();
    if (!Files.exists(data().resolve("PG_VERSION"))) {
      createDatabase(bin, user);
    }
    List<String> command = new ArrayList<>(user.prefix());
    command.add(bin.resolve("postgres").toString());
    command.addAll(List.of("-D", data().toString()));
    option(command, "listen_addresses", "127.0.0.1");
    option(command, "port", Integer.toString(ports.postgres()));
    option(command, "unix_socket_directories", "");
    option(command, "shared_buffers", Memory.POSTGRES_SHARED_BUFFERS);
    option(command, "max_connections", "50");
    return new Launch(command, Map.of());
  }

  /** {@inheritDoc} Begins a session and looks whether it is let in. */
  @Override
  public boolean answers() {
    return Probe.ask(ports.postgres(), startup(), in -> in.readByte() == 'R');
  }

  private Path data() {
    return files.folder().resolve("data");
  }

  private void createDatabase(Path bin, UnprivilegedUser user) throws IOException {
    // Made aside and moved into place when complete: an interrupted start leaves no half database.
    Path fresh = files.folder().resolve("data.new");
    Folders.delete(fresh);
    Files.createDirectories(fresh);
    user.own(files.folder());
    List<String> command = new ArrayList<>(user.prefix());
    command.add(bin.resolve("initdb").toString());
    // Without a password: it listens on loopback only and holds what anyone can make again.
    command.addAll(List.of("-D", fresh.toString(), "-U", USER, "-A", "trust"));
    command.addAll(List.of("-E", "UTF8", "--locale=C"));
    CommandResult result = Helper.run(command, Map.of(), files.folder(), "", HELPER_PATIENCE);
    if (!result.succeeded()) {
      throw new IOException(String.join(" ", command) + ":\n" + result.output());
    }
    Files.move(fresh, data());
  }

  private static void option(List<String> command, String name, String value) {
    command.add("-c");
    command.add(name + "=" + value);
  }

  private static byte[] startup() {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(body);
      out.writeInt(PROTOCOL);
      for (String word : List.of("user", USER, "database", DATABASE, "")) {
        out.write(word.getBytes(StandardCharsets.UTF_8));
        out.writeByte(0);
      }
      return ByteBuffer.allocate(body.size() + 4)
          .putInt(body.size() + 4)
          .put(body.toByteArray())
          .array();
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }
}
