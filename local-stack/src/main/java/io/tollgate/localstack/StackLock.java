package io.tollgate.localstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Held while a stack is being started: two programs at once would start each server twice. */
record StackLock(FileChannel channel) {

  static StackLock take(Path dataDir) {
    try {
      Files.createDirectories(dataDir);
      FileChannel channel =
          FileChannel.open(
              dataDir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!takes(channel)) {
        channel.close();
        throw new IllegalStateException(
            dataDir + ": being started by another program (expected: one at a time)");
      }
      return new StackLock(channel);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + dataDir, e);
    }
  }

  /** Gives the lock up; the system does so too when this program ends. */
  void release() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot release the lock of the stack", e);
    }
  }

  private static boolean takes(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }
}
