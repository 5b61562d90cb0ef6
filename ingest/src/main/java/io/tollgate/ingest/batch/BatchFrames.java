package io.tollgate.ingest.batch;

import io.tollgate.ingest.format.Format;
import io.tollgate.ingest.format.Frame;
import io.tollgate.ingest.format.Framer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one batch, in order. Says at the end whether the bytes were those that the batch's
 * id was made from: a file that is edited while it is read must not be closed with a control total.
 */
final class BatchFrames implements AutoCloseable {
  private final PlannedBatch batch;
  private final BatchId id;
  private final InputStream in;
  private final Framer framer;

  BatchFrames(SourceFile file, Format format, PlannedBatch batch) throws IOException {
    this.batch = batch;
    this.id = BatchId.startingAt(batch.from());
    this.in = new Observed(file.openAt(batch.from()), id);
    // Within its range a batch is complete: it was cut on a record boundary.
    this.framer = Framer.open(format, in, batch.from(), batch.line(), batch.to(), true);
  }

  @Nullable Frame next() throws IOException {
    Frame frame = framer.next();
    if (frame == null && !id.soFar().equals(batch.id())) {
      throw new IOException(
          "bytes "
              + batch.from()
              + " to "
              + batch.to()
              + " changed while they were read (expected: a file that is only appended to)");
    }
    return frame;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Adds what is read to an id. The framer reads no further than the end of the batch. */
  private static final class Observed extends FilterInputStream {
    private final BatchId id;

    Observed(InputStream in, BatchId id) {
      super(in);
      this.id = id;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int got = super.read(bytes, offset, length);
      if (got > 0) {
        id.update(bytes, offset, got);
      }
      return got;
    }
  }
}
