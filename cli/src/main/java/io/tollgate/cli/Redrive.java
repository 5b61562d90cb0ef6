package io.tollgate.cli;

import io.tollgate.cli.SideTopic.Waiting;
import io.tollgate.config.TollgateConfig;
import io.tollgate.domain.outcome.Reason;
import io.tollgate.ingest.format.BadLines;
import io.tollgate.ingest.format.Parsed;
import io.tollgate.wire.CdrCodec;
import io.tollgate.wire.Headers;
import io.tollgate.wire.SideRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records of a side topic to the rating job again. A line that could not be made into a CDR
 * is read once more first, by what the configuration says of its source now. A record leaves the
 * side topic only after Kafka has acknowledged it on the topic {@code cdr}; a crash in between
 * sends it once more, which changes nothing.
 */
final class Redrive {
  private final TollgateConfig config;
  private final String sideTopic;
  private final CdrCodec codec = new CdrCodec();

  Redrive(TollgateConfig config, String sideTopic) {
    this.config = config;
    this.sideTopic = sideTopic;
  }

  /**
   * What was done.
   *
   * @param sent how many records were sent
   * @param left why each of the others was not, with its place
   */
  record Report(int sent, List<String> left) {}

  Report send(List<Waiting> records) throws InterruptedException {
    Properties properties = config.kafka().clientProperties();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    List<String> left = new ArrayList<>();
    int sent = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      Map<Waiting, Future<RecordMetadata>> acknowledgements = new LinkedHashMap<>();
      for (Waiting record : records) {
        String stillWrong = stillWrong(record);
        if (stillWrong.isEmpty()) {
          acknowledgements.put(record, producer.send(again(record)));
        } else {
          left.add(place(record) + ": " + stillWrong);
        }
      }
      for (Map.Entry<Waiting, Future<RecordMetadata>> sending : acknowledgements.entrySet()) {
        Waiting record = sending.getKey();
        try {
          sending.getValue().get();
          producer.send(new ProducerRecord<>(sideTopic, utf8(record.key()), null)).get();
          sent++;
        } catch (ExecutionException e) {
          left.add(record.key() + ": " + e.getMessage());
        }
      }
    }
    return new Report(sent, left);
  }

  private ProducerRecord<byte[], byte[]> again(Waiting waiting) {
    SideRecord record = waiting.record();
    Map<String, String> extra = new LinkedHashMap<>(record.extra());
    byte[] key = record.key();
    byte[] value = record.value();
    if (waiting.reason() == Reason.BAD_LINE && readAgain(record) instanceof Parsed.Call call) {
      key = utf8(call.cdr().accountId());
      value = codec.encode(call.cdr());
      List.of(Headers.BAD_LINE, Headers.FORMAT, Headers.COLUMNS).forEach(extra::remove);
    }
    ProducerRecord<byte[], byte[]> out =
        new ProducerRecord<>(config.kafka().topics().cdr(), key, value);
    extra.forEach((name, text) -> out.headers().add(name, utf8(text)));
    if (record.origin().batchSeq() >= 0) {
      out.headers().add(Headers.SOURCE, utf8(record.origin().source()));
      out.headers().add(Headers.BATCH, utf8(record.origin().batch()));
      out.headers().add(Headers.BATCH_SEQ, utf8(Long.toString(record.origin().batchSeq())));
    }
    out.headers().add(Headers.REDRIVEN_FROM, utf8(waiting.key()));
    return out;
  }

  /** Returns why a line cannot be made into a CDR even now; empty for every other record. */
  private String stillWrong(Waiting waiting) {
    if (waiting.reason() != Reason.BAD_LINE) {
      return "";
    }
    Parsed parsed = readAgain(waiting.record());
    if (parsed instanceof Parsed.BadLine bad) {
      return bad.reason();
    }
    return parsed instanceof Parsed.NonRecord other ? "now no record: " + other.name() : "";
  }

  /** Reads a line by what the configuration says of its source now. */
  private Parsed readAgain(SideRecord record) {
    String source = record.origin().source();
    byte[] line = record.value();
    if (line == null || !config.sources().containsKey(source)) {
      return new Parsed.BadLine(
          List.of("sources." + source + ": not in the configuration (expected: how to read it)"));
    }
    return BadLines.readAgain(
        SourceArguments.declared(config, source),
        record.extra().getOrDefault(Headers.COLUMNS, ""),
        line);
  }

  private static String place(Waiting waiting) {
    return waiting.record().extra().getOrDefault(Headers.PLACE, waiting.key());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
