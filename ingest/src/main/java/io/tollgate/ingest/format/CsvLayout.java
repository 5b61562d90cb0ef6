package io.tollgate.ingest.format;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of the columns of a row, in order. */
record CsvLayout(List<String> names, Map<String, Integer> indexByName) {

  static CsvLayout of(List<String> names) {
    Map<String, Integer> index = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      index.putIfAbsent(names.get(i), i);
    }
    return new CsvLayout(List.copyOf(names), index);
  }

  Row row(List<String> fields) {
    return new Row(
        column -> {
          Integer at = indexByName.get(column);
          return at == null || at >= fields.size() ? "" : fields.get(at);
        });
  }

  boolean has(String column) {
    return indexByName.containsKey(column);
  }

  String header() {
    return String.join(",", names);
  }
}
