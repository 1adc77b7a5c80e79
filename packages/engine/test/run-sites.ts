import { markSyncDue, saveSyncState, syncState } from '@unified/store';
import { expect } from 'vitest';
import { schema } from '../src/jobs/jobs.ts';
import type { Systems } from '../src/model/systems.ts';
import { stream } from './faulty-platform.ts';
import type { Harness, Site } from './harness.ts';
import { withDatabase } from './job-database.ts';

/** Generous, because the machine may be busy. */
export const PATIENCE = { timeout: 60_000 };

/** Connections whose runs compete for the places of a worker. */
export interface RunSites {
  /** A connection whose system sends no page until it is allowed to. */
  endless(): Promise<Site>;
  /** Connections that have been read completely and are not due. */
  copied(count: number, systems?: Systems): Promise<Site[]>;
  /** When a stream was last read. */
  lastSuccess(site: Site, name?: string): Promise<string | null | undefined>;
  /** Number of jobs of a connection that wait for the place of a long run. */
  postponed(site: Site): Promise<number>;
  /** Makes a stream due for a run that reads changes, or that reads all rows. */
  makeDue(site: Site, name?: string, mode?: 'full' | 'incremental'): Promise<void>;
}

export function runSites(harness: Harness): RunSites {
  const { store, databaseUrl } = harness;
  const lastSuccess = async ({ scope }: Site, name = stream.name) => (await syncState(scope, name))?.lastSuccessAt;
  return {
    lastSuccess,
    async endless() {
      const system = await harness.system();
      system.admitPages(0);
      return harness.site(system);
    },
    async copied(count, systems) {
      const sites = await Promise.all(Array.from({ length: count }, () => harness.site()));
      const worker = await harness.worker({ syncs: count, ...(systems && { systems }) });
      const names = systems?.platformOf('faulty').streams.map(({ name }) => name) ?? [stream.name];
      for (const site of sites)
        for (const name of names)
          await expect.poll(() => lastSuccess(site, name), PATIENCE).toEqual(expect.any(String));
      await worker.stop();
      return sites;
    },
    async postponed({ connectionId }) {
      let found = 0;
      await withDatabase(databaseUrl, async (query) => {
        const flagged = `select from ${schema}.jobs where key like $1 and flags is not null and locked_at is null`;
        found = (await query(flagged, [`%:${connectionId}%`])).length;
      });
      return found;
    },
    async makeDue({ scope, connectionId }, name = stream.name, mode = 'incremental') {
      const { cursor } = (await syncState(scope, name)) ?? {};
      const full = { cursor: { ...(cursor as object), fullAt: '2026-01-01T00:00:00Z' } };
      await saveSyncState(scope, name, { nextRunAt: 'now', ...(mode === 'full' && full) });
      // Afterwards, because the end of the last run plans the next one from the states.
      await markSyncDue(store, connectionId);
    },
  };
}

/** Number of these connections whose systems have a request for a page that waits. */
export const begun = (sites: readonly Site[]) => async () => sites.filter(({ system }) => system.waiting() > 0).length;
