package io.tollgate.localstack;

import io.tollgate.localstack.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to run a program that refuses to run as root, as PostgreSQL does.
 *
 * <table>
 *   <caption>Choices</caption>
 *   <tr><th>we are</th><th>the program runs</th></tr>
 *   <tr><td>not root</td><td>as it is</td></tr>
 *   <tr><td>root</td><td>in a user namespace of its own (unshare -U): nobody inside, the owner of
 *       our files outside</td></tr>
 *   <tr><td>root where namespaces are forbidden, as in many containers</td><td>as user 65534
 *       (setpriv), who is given the files</td></tr>
 * </table>
 *
 * @param prefix put before the command
 * @param ownerId the user who must own the files; empty if we may own them
 */
record UnprivilegedUser(List<String> prefix, Optional<Integer> ownerId) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String NOBODY = "65534";

  static UnprivilegedUser choose() throws IOException {
    if (!isRoot()) {
      return new UnprivilegedUser(List.of(), Optional.empty());
    }
    Optional<Path> unshare = Programs.find("unshare");
    if (unshare.isPresent() && succeeds(List.of(unshare.get().toString(), "-U", "true"))) {
      return new UnprivilegedUser(List.of(unshare.get().toString(), "-U"), Optional.empty());
    }
    Optional<Path> setpriv = Programs.find("setpriv");
    if (setpriv.isPresent()) {
      return asNobody(setpriv.get());
    }
    throw new IOException(
        "PostgreSQL refuses to run as root (expected: another user, or the programs unshare or"
            + " setpriv of util-linux)");
  }

  static UnprivilegedUser asNobody(Path setpriv) {
    return new UnprivilegedUser(
        List.of(
            setpriv.toString(), "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--"),
        Optional.of(Integer.valueOf(NOBODY)));
  }

  /** Gives a folder and all in it to the user, if that is needed. */
  void own(Path folder) throws IOException {
    if (ownerId.isEmpty()) {
      return;
    }
    for (Path path : Folders.all(folder)) {
      Files.setAttribute(path, "unix:uid", ownerId.get());
    }
  }

  private static boolean isRoot() throws IOException {
    return Helper.run(List.of("id", "-u"), Map.of(), Path.of("/"), "", PATIENCE)
        .output()
        .strip()
        .equals("0");
  }

  private static boolean succeeds(List<String> command) throws IOException {
    return Helper.run(command, Map.of(), Path.of("/"), "", PATIENCE).succeeded();
  }
}
