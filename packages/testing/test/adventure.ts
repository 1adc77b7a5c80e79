import { openDriver } from '@unified/connectors';
import type { SyncMode } from '@unified/engine';
import type { Client } from '@unified/sdk';
import { connect } from '@unified/testing';
import { type Company, startCompany } from '../../connectors/test/adventure/adventure-company.ts';
import { sdkClient } from './sdk-client.ts';
import { startStack } from './stack.ts';
import { synchronize } from './synchronize.ts';

/** The service, connected to Cascade Outfitters, after the first sync. */
export interface Adventure extends Pick<Company, 'platform' | 'url' | 'sql'> {
  readonly client: Client;
  /** Starts a sync of all streams and waits until the run has ended. Throws the error if a stream fails. */
  sync(mode: SyncMode): Promise<void>;
  stop(): Promise<void>;
}

export async function startAdventure(): Promise<Adventure> {
  const company = await startCompany();
  const stack = await startStack({ openDriver, platformOf: () => company.platform });
  const stop = async () => {
    await stack.stop();
    await company.stop();
  };
  const settings = { url: company.url };
  const { scope, token } = await connect(stack.database.store, { platform: 'adventure', settings });
  const sync = (mode: SyncMode) => synchronize(stack, scope, mode);
  try {
    await stack.startWorker();
    await sync('full');
    return { ...company, client: await sdkClient(stack.baseUrl, token), sync, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
