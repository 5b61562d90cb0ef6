/**
 * Real Kafka, Cassandra, PostgreSQL and Flink as child processes of their own, started from Maven
 * artifacts: the default for trying Tollgate out and for its tests. Creates nothing that belongs to
 * an application: no topics, no keyspaces, no tables.
 */
@NullMarked
package io.tollgate.localstack;

import org.jspecify.annotations.NullMarked;
