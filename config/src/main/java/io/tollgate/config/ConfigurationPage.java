package io.tollgate.config;

/** Writes {@code docs/configuration.md} from the keys, so that page and program cannot differ. */
final class ConfigurationPage {
  private static final String HEAD =
      """
      # Configuration

      One file, `tollgate.yaml`, configures jobs, commands and the local stack. Every key may be
      left out unless it is marked as required; an empty file runs against the local stack. All
      faults of a file are told at once, each with its line, and an unknown key is a fault.

      Durations are a number and a unit: `500ms`, `60s`, `5m`, `1h`, `90d`. A secret never stands in
      the file: write `${NAME}` for an environment variable or `file:/path` for a file, read when
      the job or command starts. A `*` in a name stands for a name of your choice.

      <!-- Made from io.tollgate.config.Keys. Write it anew with:
           mvn -pl config test -Dtest=ConfigurationPageTest -Dtollgate.docs.write=true -->
      """;

  private ConfigurationPage() {}

  static String render() {
    StringBuilder page = new StringBuilder(HEAD);
    String section = "";
    for (Key<?> key : Keys.ALL) {
      String keySection = key.path().substring(0, key.path().indexOf('.'));
      if (!keySection.equals(section)) {
        section = keySection;
        page.append("\n## ").append(section).append("\n\n");
        page.append("| key | type | default | what it does, and why |\n");
        page.append("| --- | --- | --- | --- |\n");
      }
      row(page, key);
    }
    return page.toString();
  }

  private static void row(StringBuilder page, Key<?> key) {
    page.append("| `").append(key.path()).append("` | ");
    page.append(key.type().name()).append(": ").append(key.type().rule()).append(" | ");
    page.append(shownDefault(key)).append(" | ").append(key.reason()).append(" |\n");
  }

  private static String shownDefault(Key<?> key) {
    if (key.required()) {
      return "required";
    }
    return key.defaultYaml() == null ? "none" : "`" + key.defaultYaml() + "`";
  }
}
