import { createMetrics, createOperatorServer, type Metrics, type Readiness, readinessOf } from '@unified/server';
import type { Store } from '@unified/store';
import type { Logger } from 'pino';
import type { Configuration } from './configuration.ts';
import { step } from './progress.ts';

interface OperatorPort {
  readonly metrics: Metrics;
  close(): Promise<void>;
}

interface Process {
  readonly log: Logger;
  readonly stateOf: () => Readiness['process'];
}

/** Opens the port for load balancers and Prometheus; undefined if none is configured. Rejects if it is in use. */
export async function openOperatorPort(
  configured: Configuration['operator'],
  store: Store,
  { log, stateOf }: Process,
): Promise<OperatorPort | undefined> {
  if (!configured) return undefined;
  const metrics = await createMetrics(store);
  const readiness = () => readinessOf(store, stateOf());
  const { url, close } = await createOperatorServer({ ...configured, metrics, readiness, logger: log });
  step(`/livez, /readyz and /metrics are served at ${url}`);
  return { metrics, close };
}
