import type { StreamStatus, SyncMode } from '@unified/engine';
import { syncEnd } from '@unified/engine/testing/sync-end';
import type { Client } from '@unified/sdk';
import { type ConnectionOptions, connect } from '@unified/testing';
import { vi } from 'vitest';
import type { RunningTryton } from '../../../test-systems/tryton/start.ts';
import { sdkClient } from './sdk-client.ts';
import type { Stack } from './stack.ts';

/** A connection of the service to a running Tryton. */
export interface TrytonConnection {
  readonly connectionId: string;
  /** Calls the service with the token of this connection. */
  readonly client: Client;
  /** Starts a sync of streams (all by default) and waits until it has ended. Rejects with the error if a stream fails. */
  sync(mode: SyncMode, streams?: readonly string[]): Promise<void>;
  /** The same for one stream that is expected to fail; returns its error. */
  failingSync(mode: SyncMode, stream: string): Promise<string>;
}

const SYNC_MS = 180_000;

/** Connects the service to Tryton; `url` is the address of Tryton or of a proxy. By default, the application is a new one. */
export async function connectTryton(
  stack: Stack,
  { url, database, user, password }: Pick<RunningTryton, 'url' | 'database' | 'user' | 'password'>,
  more: Readonly<Record<string, unknown>> = {},
  owner: Pick<ConnectionOptions, 'applicationId' | 'endCustomerId'> = {},
): Promise<TrytonConnection> {
  const { engine, baseUrl } = stack;
  const settings = { url, database, user, password, allowPrivateHosts: true, ...more };
  const { connectionId, scope, token } = await connect(stack.database.store, {
    platform: 'tryton',
    settings,
    ...owner,
  });

  const statuses = async () => new Map((await engine.syncStatus(scope)).map((status) => [status.stream, status]));
  /** Requests a sync and waits until each stream is in the state `isOver`. */
  const run = async (mode: SyncMode, streams: readonly string[], isOver: typeof hasEnded) => {
    const before = await statuses();
    await engine.requestSync(connectionId, mode, streams);
    const look = async () => {
      const now = await statuses();
      const open = streams.filter((stream) => !isOver(now.get(stream), before.get(stream), mode));
      if (open.length > 0) throw new Error(`not read ${mode} in time: ${open.join(', ')}`);
      return now;
    };
    const ended = await vi.waitFor(look, { timeout: SYNC_MS, interval: 50 });
    await syncEnd(stack.database.url, connectionId, SYNC_MS);
    return ended;
  };
  return {
    connectionId,
    client: await sdkClient(baseUrl, token),
    async sync(mode, streams) {
      const named = streams ?? [...(await statuses()).keys()];
      const failed = [...(await run(mode, named, hasEnded)).values()].filter(({ error }) => error !== null);
      if (failed.length > 0) throw new Error(failed.map(({ stream, error }) => `${stream}: ${error}`).join('\n'));
    },
    async failingSync(mode, stream) {
      const ended = await run(mode, [stream], (now, before) => !!now?.error && now.nextRunAt !== before?.nextRunAt);
      return ended.get(stream)?.error ?? '';
    },
  };
}

/** Whether a stream has been read or has failed since then. */
function hasEnded(now: StreamStatus | undefined, before: StreamStatus | undefined, mode: SyncMode): boolean {
  if (!now || now.runningSince !== null) return false;
  if (now.error !== null && before?.error === null) return true;
  const at = mode === 'full' ? 'lastFullAt' : 'lastSuccessAt';
  return now[at] !== null && now[at] !== (before?.[at] ?? null);
}
