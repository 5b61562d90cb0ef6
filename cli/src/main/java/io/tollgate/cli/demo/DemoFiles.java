package io.tollgate.cli.demo;

import java.util.List;

/**
 * The sample files of the demo, in the order in which they are ingested: the first of two equal
 * events is the one that is charged.
 */
public record DemoFiles(String source, String file) {

  /** All of them. */
  public static final List<DemoFiles> IN_ORDER =
      List.of(
          new DemoFiles("pbx-berlin", "asterisk/Master.csv"),
          new DemoFiles("pbx-berlin-2", "asterisk/collector-2/Master.csv"),
          new DemoFiles("pbx-munich", "asterisk/munich/Master.csv"),
          new DemoFiles("pbx-old", "asterisk/no-ids/Master.csv"),
          new DemoFiles("pbx-custom", "asterisk/custom/Custom.csv"),
          new DemoFiles("fs-1", "freeswitch/Master.csv"),
          new DemoFiles("fs-1-json", "freeswitch/calls.json"),
          new DemoFiles("cucm-1", "cucm/cdr_StandAloneCluster_01_202610061200_17"),
          new DemoFiles("cucm-2", "cucm/billing-2/cdr_StandAloneCluster_01_202610061200_17"),
          new DemoFiles("gateway", "tollgate-json/cdrs.jsonl"));
}
