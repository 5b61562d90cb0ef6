package io.tollgate.localstack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One Cassandra node. */
final class CassandraRecipe implements Recipe {
  // What conf/jvm17-server.options of Cassandra 5.0 asks for.
  private static final List<String> MODULES =
      List.of(
          "-Djdk.attach.allowAttachSelf=true",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED",
          "--add-exports=java.sql/java.sql=ALL-UNNAMED",
          "--add-exports=java.base/java.lang.ref=ALL-UNNAMED",
          "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
          "--add-exports=jdk.attach/sun.tools.attach=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.module=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.math=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.module=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED",
          "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");

  // A lone node has no ring to wait for and nobody to gossip with.
  private static final List<String> FAST_START =
      List.of(
          "-Dcassandra.ring_delay_ms=0",
          "-Dcassandra.skip_wait_for_gossip_to_settle=0",
          "-Dcassandra.superuser_setup_delay_ms=0",
          "-Dcassandra.load_ring_state=false",
          "-Dcassandra.shutdown_announce_in_ms=0",
          "-XX:TieredStopAtLevel=4",
          "-XX:+PerfDisableSharedMem");

  private static final byte OPTIONS = 0x05;
  private static final byte SUPPORTED = 0x06;

  private final ServerFiles files;
  private final Ports ports;
  private final Artifacts artifacts;

  CassandraRecipe(Path dataDir, Ports ports, Artifacts artifacts) {
    this.files = new ServerFiles(dataDir.resolve("cassandra"), "cassandra");
    this.ports = ports;
    this.artifacts = artifacts;
  }

  @Override
  public ServerFiles files() {
    return files;
  }

  @Override
  public String address() {
    return "127.0.0.1:" + ports.cassandra();
  }

  @Override
  public List<Integer> ports() {
    return List.of(ports.cassandra(), ports.cassandraStorage());
  }

  @Override
  public Launch prepare() throws IOException {
    Path settings = files.folder().resolve("cassandra.yaml");
    Template.write(
        "cassandra.yaml",
        Map.of(
            "folder", files.folder().toString(),
            "native.port", Integer.toString(ports.cassandra()),
            "storage.port", Integer.toString(ports.cassandraStorage())),
        settings);
    Path logging = files.folder().resolve("logback.xml");
    Template.write("logback-cassandra.xml", Map.of(), logging);

    List<String> options = new ArrayList<>(Memory.CASSANDRA_JVM);
    options.add("-XX:+ExitOnOutOfMemoryError");
    options.addAll(MODULES);
    options.addAll(FAST_START);
    options.add("-Dio.netty.tryReflectionSetAccessible=true");
    options.add("-Dcassandra.config=" + settings.toUri());
    options.add("-Dcassandra.storagedir=" + files.folder());
    options.add("-Dcassandra-foreground=yes");
    options.add("-Dlogback.configurationFile=" + logging);
    options.add("-Dlog.file=" + files.log());
    // Its native libraries are unpacked where nothing else looks, and vanish with the data.
    options.add("-Djava.io.tmpdir=" + files.folder());
    return new Launch(
        new JavaCommand(
                options,
                artifacts.jars(),
                "org.apache.cassandra.service.CassandraDaemon",
                List.of())
            .asServer(files),
        Map.of());
  }

  /** {@inheritDoc} Asks in the native protocol which options are supported. */
  @Override
  public boolean answers() {
    // Version, flags, stream, opcode, length of the body.
    byte[] question = {4, 0, 0, 0, OPTIONS, 0, 0, 0, 0};
    return Probe.ask(
        ports.cassandra(),
        question,
        in -> {
          in.readInt();
          return in.readByte() == SUPPORTED;
        });
  }
}
