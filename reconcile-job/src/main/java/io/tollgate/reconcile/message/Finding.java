package io.tollgate.reconcile.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tollgate.domain.reconcile.ReconcileResult;
import java.io.IOException;

/**
 * A result on its way between operators and in state.
 *
 * @param json the result with its type's name
 */
@SuppressWarnings("ArrayRecordComponent") // bytes pass through; findings are never compared
public record Finding(byte[] json) {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().addMixIn(ReconcileResult.class, WithTypeName.class).build();

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = ReconcileResult.Cycle.class, name = "cycle"),
    @JsonSubTypes.Type(value = ReconcileResult.Batch.class, name = "batch"),
    @JsonSubTypes.Type(value = ReconcileResult.Partition.class, name = "partition"),
    @JsonSubTypes.Type(value = ReconcileResult.Found.class, name = "difference"),
    @JsonSubTypes.Type(value = ReconcileResult.Source.class, name = "source"),
    @JsonSubTypes.Type(value = ReconcileResult.Halt.class, name = "halt"),
    @JsonSubTypes.Type(value = ReconcileResult.Acknowledgement.class, name = "acknowledgement")
  })
  private interface WithTypeName {}

  /** Returns a result as a finding. */
  public static Finding of(ReconcileResult result) {
    try {
      return new Finding(MAPPER.writerFor(ReconcileResult.class).writeValueAsBytes(result));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of texts and numbers is always JSON", e);
    }
  }

  /** Returns the result. */
  public ReconcileResult result() {
    try {
      return MAPPER.readValue(json, ReconcileResult.class);
    } catch (IOException e) {
      throw new IllegalStateException("a stored finding is damaged", e);
    }
  }
}
