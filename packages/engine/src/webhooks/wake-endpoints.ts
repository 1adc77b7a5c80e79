import { setTimeout as pause } from 'node:timers/promises';
import { openEndpoints, type Store, watchWebhookWork } from '@unified/store';
import type { Logger } from 'pino';
import type { Jobs } from '../jobs/jobs.ts';

/** Milliseconds for which notifications are collected. */
const TOGETHER_MS = 5;

interface Waking {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly log: Logger;
}

/**
 * Adds jobs for the endpoints for which commits of any process create work. A notification can be missed, and adding a job can
 * fail; the sweep finds what remains. Returns a function that stops this.
 */
export async function wakeEndpoints({ store, jobs, log }: Waking): Promise<() => Promise<void>> {
  let connections = new Set<string>();
  let endpoints = new Set<string>();
  let waking: Promise<void> | undefined;

  async function wake(): Promise<void> {
    while (connections.size + endpoints.size > 0) {
      await pause(TOGETHER_MS);
      const found = { connectionIds: [...connections], endpointIds: [...endpoints] };
      connections = new Set();
      endpoints = new Set();
      for (const id of await openEndpoints(store, found)) await jobs.addDeliveryJob(id);
    }
  }

  const end = await watchWebhookWork(store, (work) => {
    if ('connectionId' in work) connections.add(work.connectionId);
    else endpoints.add(work.endpointId);
    waking ??= wake()
      .catch((err) => log.warn({ err }, 'no job for a webhook endpoint; the sweep adds it'))
      .finally(() => {
        waking = undefined;
      });
  });
  return async () => {
    end();
    await waking;
  };
}
