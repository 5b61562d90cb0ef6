package io.tollgate.rating;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Keeps all that was ever sent to it, as a topic would: also what a restart sends again. */
public final class CollectingSink<T> implements Sink<T> {
  private final Shared<Queue<T>> collected = Shared.of(new ConcurrentLinkedQueue<>());

  public List<T> collected() {
    return List.copyOf(collected.get());
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    Queue<T> queue = collected.get();
    return new SinkWriter<>() {
      @Override
      public void write(T element, Context writeContext) {
        queue.add(element);
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }
}
