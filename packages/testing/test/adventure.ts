import { openDriver } from '@unified/connectors';
import type { SyncMode } from '@unified/engine';
import { syncEnd } from '@unified/engine/testing/sync-end';
import type { Client } from '@unified/sdk';
import { connect } from '@unified/testing';
import { vi } from 'vitest';
import { type Company, startCompany } from '../../connectors/test/adventure/adventure-company.ts';
import { sdkClient } from './sdk-client.ts';
import { startStack } from './stack.ts';

/** The service, connected to Cascade Outfitters, after the first sync. */
export interface Adventure extends Pick<Company, 'platform' | 'url' | 'sql'> {
  readonly client: Client;
  /** Starts a sync of all streams and waits until the run has ended. Throws the error if a stream fails. */
  sync(mode: SyncMode): Promise<void>;
  stop(): Promise<void>;
}

/** Generous, because the machine may be busy. */
const SYNC_MS = 300_000;

export async function startAdventure(): Promise<Adventure> {
  const company = await startCompany();
  const stack = await startStack({ openDriver, platformOf: () => company.platform });
  const stop = async () => {
    await stack.stop();
    await company.stop();
  };
  const settings = { url: company.url };
  const { connectionId, scope, token } = await connect(stack.database.store, { platform: 'adventure', settings });
  const statuses = async () => new Map((await stack.engine.syncStatus(scope)).map((each) => [each.stream, each]));
  const sync = async (mode: SyncMode) => {
    const before = await statuses();
    await stack.engine.requestSync(connectionId, mode);
    const ended = await vi.waitFor(
      async () => {
        const now = [...(await statuses()).values()];
        const open = now.filter(
          ({ stream, lastSuccessAt, error }) =>
            !error && (!lastSuccessAt || lastSuccessAt === before.get(stream)?.lastSuccessAt),
        );
        if (open.length > 0) throw new Error(`not read in time: ${open.map(({ stream }) => stream).join(', ')}`);
        return now;
      },
      { timeout: SYNC_MS, interval: 50 },
    );
    await syncEnd(stack.database.store, connectionId, SYNC_MS);
    const failed = ended.filter(({ error }) => error !== null);
    if (failed.length > 0) throw new Error(failed.map(({ stream, error }) => `${stream}: ${error}`).join('\n'));
  };
  try {
    await stack.startWorker();
    await sync('full');
    return { ...company, client: await sdkClient(stack.baseUrl, token), sync, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
