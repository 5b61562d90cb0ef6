package io.tollgate.rating.ingest;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes that an enumerator needs to end properly, loaded while they can be.
 *
 * <p>When a job has ended, Flink releases its class loader without waiting for its enumerators to
 * be closed. A class that is first needed in closing is then no longer found: a Kafka client dies
 * half closed, a Cassandra session stays open, and Flink never stops the threads of the enumerator.
 * Each job that ever ran would go on living in the JobManager, with its buffers, until no job can
 * reach the ledger any more. Classes that are loaded stay usable, so these are loaded first.
 */
final class ClosingClasses {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingClasses.class);

  /** Connections, their threads and what they report; not the messages that they carry. */
  private static final List<String> PACKAGES =
      List.of(
          "io/tollgate/",
          "org/apache/flink/connector/kafka/",
          "org/apache/kafka/clients/admin/internals/",
          "org/apache/kafka/common/errors/",
          "org/apache/kafka/common/internals/",
          "org/apache/kafka/common/metrics/",
          "org/apache/kafka/common/network/",
          "org/apache/kafka/common/utils/",
          "com/datastax/oss/driver/internal/core/",
          "io/netty/bootstrap/",
          "io/netty/buffer/",
          "io/netty/channel/",
          "io/netty/handler/codec/",
          "io/netty/util/");

  private static final AtomicBoolean LOADED = new AtomicBoolean();

  private ClosingClasses() {}

  /**
   * Loads them, once in the life of a job's class loader. Elsewhere than in a jar, does nothing.
   */
  static void load() {
    if (!LOADED.compareAndSet(false, true)) {
      return;
    }
    CodeSource source = ClosingClasses.class.getProtectionDomain().getCodeSource();
    if (source == null || !source.getLocation().getProtocol().equals("file")) {
      return;
    }
    try {
      Path jar = Path.of(source.getLocation().toURI());
      if (Files.isRegularFile(jar)) {
        LOG.info("{} classes are loaded ahead of the end of the job", load(jar));
      }
    } catch (IOException | URISyntaxException e) {
      LOG.warn("The job may leave threads in the JobManager when it ends", e);
    }
  }

  private static int load(Path jar) throws IOException {
    ClassLoader loader = ClosingClasses.class.getClassLoader();
    int count = 0;
    try (JarFile file = new JarFile(jar.toFile())) {
      for (String name : file.stream().map(entry -> entry.getName()).toList()) {
        if (isNeeded(name) && isLoaded(name, loader)) {
          count++;
        }
      }
    }
    return count;
  }

  private static boolean isNeeded(String entry) {
    return entry.endsWith(".class") && PACKAGES.stream().anyMatch(entry::startsWith);
  }

  private static boolean isLoaded(String entry, ClassLoader loader) {
    String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      // Made for a library that is not in the jar, so nothing can ever use it.
      LOG.debug("{} cannot be loaded", name, e);
      return false;
    }
  }
}
