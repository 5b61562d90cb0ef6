package io.tollgate.source;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/**
 * What a savepoint or a retained checkpoint holds, read without a cluster.
 *
 * @param path where it lies
 * @param takenAt when its metadata was written
 * @param format {@code CANONICAL} or {@code NATIVE} for a savepoint, {@code CHECKPOINT} otherwise
 * @param operators its operators, in order of their uids
 * @param positions by topic and partition, the offset of the record to be read next after a restore
 */
public record SavepointContents(
    String path,
    Instant takenAt,
    String format,
    List<Operator> operators,
    Map<String, Map<Integer, Long>> positions) {
  /** Name that Flink gives the state with the splits of a source's readers. */
  private static final String SPLITS = "SourceReaderState";

  /**
   * An operator.
   *
   * @param uid its uid; the id that Flink derives from it if the uid is not recorded
   * @param parallelism how many subtasks it had
   * @param bytes size of its state
   */
  public record Operator(String uid, int parallelism, long bytes) {}

  /** Returns the size of all state. */
  public long bytes() {
    return operators.stream().mapToLong(Operator::bytes).sum();
  }

  /**
   * Reads a savepoint.
   *
   * @param path a folder or its metadata file, a path or a URI of a file system that is at hand
   * @throws IOException if there is none, or it cannot be read
   */
  public static SavepointContents read(String path) throws IOException {
    CompletedCheckpointStorageLocation location =
        AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(path);
    CheckpointMetadata metadata;
    try (InputStream in = location.getMetadataHandle().openInputStream()) {
      metadata =
          Checkpoints.loadCheckpointMetadata(
              new DataInputStream(in),
              SavepointContents.class.getClassLoader(),
              location.getExternalPointer());
    }
    List<Operator> operators = new ArrayList<>();
    Map<String, Map<Integer, Long>> positions = new TreeMap<>();
    for (OperatorState operator : metadata.getOperatorStates()) {
      operators.add(
          new Operator(
              operator.getOperatorUid().orElse(operator.getOperatorID().toHexString()),
              operator.getParallelism(),
              operator.getStateSize()));
      for (OperatorSubtaskState subtask : operator.getStates()) {
        for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
          addPositions(handle, positions);
        }
      }
    }
    operators.sort(Comparator.comparing(Operator::uid));
    return new SavepointContents(
        location.getExternalPointer(),
        takenAt(location.getExternalPointer()),
        format(metadata),
        List.copyOf(operators),
        positions);
  }

  private static Instant takenAt(String folder) throws IOException {
    Path file = new Path(new Path(folder), AbstractFsCheckpointStorageAccess.METADATA_FILE_NAME);
    return Instant.ofEpochMilli(
        FileSystem.get(file.toUri()).getFileStatus(file).getModificationTime());
  }

  private static String format(CheckpointMetadata metadata) {
    return Optional.ofNullable(metadata.getCheckpointProperties())
        .filter(properties -> properties.isSavepoint())
        .map(properties -> properties.getCheckpointType())
        .map(
            type ->
                type instanceof org.apache.flink.runtime.checkpoint.SavepointType savepoint
                    ? savepoint.getFormatType().name()
                    : "CHECKPOINT")
        .orElse("CHECKPOINT");
  }

  private static void addPositions(
      OperatorStateHandle handle, Map<String, Map<Integer, Long>> positions) throws IOException {
    OperatorStateHandle.StateMetaInfo splits = handle.getStateNameToPartitionOffsets().get(SPLITS);
    if (splits == null) {
      return;
    }
    KafkaPartitionSplitSerializer serializer = new KafkaPartitionSplitSerializer();
    try (FSDataInputStream in = handle.openInputStream()) {
      DataInputViewStreamWrapper view = new DataInputViewStreamWrapper(in);
      for (long offset : splits.getOffsets()) {
        in.seek(offset);
        KafkaPartitionSplit split =
            SimpleVersionedSerialization.readVersionAndDeSerialize(
                serializer, BytePrimitiveArraySerializer.INSTANCE.deserialize(view));
        positions
            .computeIfAbsent(split.getTopic(), topic -> new TreeMap<>())
            .put(split.getPartition(), split.getStartingOffset());
      }
    }
  }
}
