package io.tollgate.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time of the threads that call the measured method, per call: what a machine gives that
 * is busy with other work. JMH's own score is elapsed time.
 */
public final class ProcessorTime implements InternalProfiler {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Map<Long, Long> nanosBefore = new HashMap<>();

  @Override
  public String getDescription() {
    return "Processor time of the measuring threads per call";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    nanosBefore.clear();
    for (long id : threads.getAllThreadIds()) {
      nanosBefore.put(id, threads.getThreadCpuTime(id));
    }
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long nanos = 0;
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null && info.getThreadName().contains("-jmh-worker-")) {
        nanos += threads.getThreadCpuTime(id) - nanosBefore.getOrDefault(id, 0L);
      }
    }
    long calls = result.getMetadata().getMeasuredOps();
    return List.of(
        new ScalarResult("processor time", (double) nanos / calls, "ns/op", AggregationPolicy.AVG));
  }
}
