import {
  type DeliveryBacklog,
  deliveryBacklogOf,
  poolUseOf,
  type ReplicaUse,
  replicaUseOf,
  type Store,
  type Workload,
  workloadOf,
} from '@unified/store';
import type { Counter as CounterClass, Gauge as GaugeClass, Registry as RegistryClass } from 'prom-client';
import { withinPatience } from './within-patience.ts';

/** A request that was served. */
export interface ServedRequest {
  /** Its operation; undefined for an address outside the document. */
  readonly operation: string | undefined;
  readonly status: number;
  /** Milliseconds until the response was handed to the socket. */
  readonly ms: number;
}

/** A call to a connected system that has ended. */
export interface MeasuredCall {
  readonly platform: string;
  /** What it was for: `write`, `read` or `sync`. */
  readonly purpose: string;
  /** Kind of the failure; undefined if the call succeeded. */
  readonly failure: string | undefined;
  readonly ms: number;
}

/** An attempt to send an event to a webhook endpoint that has ended. */
export interface EndedAttempt {
  /** `accepted`, `refused`, `unavailable` or `gone`. */
  readonly outcome: string;
  readonly ms: number;
}

/** The figures of one process. */
export interface Metrics {
  readonly type: string;
  countRequest(request: ServedRequest): void;
  countCall(call: MeasuredCall): void;
  countAttempt(attempt: EndedAttempt): void;
  /** All figures in the text format of Prometheus. */
  text(): Promise<string>;
}

/** Upper bounds in seconds. A write waits up to 30 seconds for its outcome. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Collects the figures of this process; those of the queue are of all processes, and are read from the database for each
 * scrape. Labels have few values: never an id, an address or a name of a customer.
 */
export async function createMetrics(store: Store): Promise<Metrics> {
  // Loaded here, since most processes run without an operator port.
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addPools(registry, Gauge, store);
  addReplicas(registry, { Counter, Gauge }, store);
  addWorkload(registry, Gauge, store);
  const requests = new Histogram({
    name: 'unified_request_duration_seconds',
    help: 'Requests by operation and class of status, such as 2xx.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const calls = new Histogram({
    name: 'unified_system_call_duration_seconds',
    help: 'Calls to connected systems by platform, purpose and outcome: ok, or the kind of the failure.',
    labelNames: ['platform', 'purpose', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  const attempts = new Histogram({
    name: 'unified_webhook_attempt_duration_seconds',
    help: 'Attempts to send an event to a webhook endpoint, by outcome.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    type: registry.contentType,
    countRequest: ({ operation = 'none', status, ms }) =>
      requests.observe({ operation, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
    countCall: ({ platform, purpose, failure, ms }) =>
      calls.observe({ platform, purpose, outcome: failure ?? 'ok' }, ms / 1000),
    countAttempt: ({ outcome, ms }) => attempts.observe({ outcome }, ms / 1000),
    text: () => registry.metrics(),
  };
}

function addPools(registry: RegistryClass, Gauge: typeof GaugeClass, store: Store): void {
  new Gauge({
    name: 'unified_database_clients',
    help: 'Database connections of this process by pool and state; `waiting`: those who wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const { pool, ...states } of poolUseOf(store))
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count);
    },
  });
}

interface Classes {
  readonly Counter: typeof CounterClass;
  readonly Gauge: typeof GaugeClass;
}

/** Replicas are named by their place in the settings. */
function addReplicas(registry: RegistryClass, { Counter, Gauge }: Classes, store: Store): void {
  const add = (name: string, help: string, figureOf: (use: ReplicaUse) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['replica'], registers: [registry] },
      collect() {
        for (const use of replicaUseOf(store)) this.set({ replica: use.number }, figureOf(use));
      },
    });
  add('unified_replica_up', 'Whether records are read from a replica.', ({ problem }) =>
    problem === undefined ? 1 : 0,
  );
  add(
    'unified_replica_lag_bytes',
    'Bytes of the log that a replica had not replayed.',
    ({ lagBytes }) => lagBytes ?? Number.NaN,
  );
  new Counter({
    name: 'unified_replica_reads_total',
    help: 'Statements that a replica has served for this process.',
    labelNames: ['replica'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { number, reads } of replicaUseOf(store)) this.inc({ replica: number }, reads);
    },
  });
}

type Backlog = Workload & DeliveryBacklog;

async function backlogOf(store: Store): Promise<Backlog> {
  const [workload, deliveries] = await Promise.all([workloadOf(store), deliveryBacklogOf(store)]);
  return { ...workload, ...deliveries };
}

/**
 * Read once per scrape. Without a database, or one that does not respond in time, they have no value, so that an alert does not
 * see an old one.
 */
function addWorkload(registry: RegistryClass, Gauge: typeof GaugeClass, store: Store): void {
  let reading: Promise<Backlog | undefined> | undefined;
  const read = () => {
    reading ??= backlogOf(store)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    // A database that hangs is asked only once, however often the figures are read.
    return withinPatience(reading).catch(() => undefined);
  };
  const add = (name: string, help: string, figureOf: (backlog: Backlog | undefined) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set(figureOf(await read()));
      },
    });
  add('unified_database_up', 'Whether this process reaches its database.', (backlog) => (backlog ? 1 : 0));
  const figures = [
    ['unified_open_writes', 'Writes that are not settled, of all processes.', 'openWrites'],
    ['unified_oldest_write_seconds', 'Time since the oldest of them was accepted.', 'oldestWriteSeconds'],
    ['unified_due_syncs', 'Connections that are due and not being synchronized, of all processes.', 'dueSyncs'],
    ['unified_sync_delay_seconds', 'Time since the first of them was due.', 'syncDelaySeconds'],
    ['unified_pending_deliveries', 'Events for active webhook endpoints that are not accepted.', 'pendingDeliveries'],
    ['unified_delivery_delay_seconds', 'Time since the first that can be sent was due.', 'deliveryDelaySeconds'],
  ] as const;
  for (const [name, help, figure] of figures) add(name, help, (backlog) => backlog?.[figure] ?? Number.NaN);
}
