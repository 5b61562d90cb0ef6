package io.tollgate.ingest.batch;

/** Is told how far reading has come. Called often: must be cheap. */
public interface Progress {
  /** Says nothing. */
  Progress NONE = (file, bytes, ofBytes, records) -> {};

  /**
   * Called after each batch and now and then within one.
   *
   * @param file name of the file
   * @param bytes how many of its bytes are done
   * @param ofBytes its size
   * @param records records sent so far
   */
  void at(String file, long bytes, long ofBytes, long records);
}
