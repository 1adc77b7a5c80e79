import { type Platform, systemIdentity } from '@unified/connectors';
import { activeConnectionsTo, makeFailedDue, makeWritesDue, readableSettings, type Store } from '@unified/store';
import type { Logger } from 'pino';
import { accountOf } from '../drivers/account-of.ts';
import type { Quotas } from '../drivers/quotas.ts';
import { type Jobs, wakeQueue } from '../jobs/jobs.ts';
import type { Settings } from '../model/systems.ts';

interface Parts {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly log: Logger;
}

/** Seconds after which the first connection of an account is called again: by then, the pause has been deleted. */
const FIRST_SECONDS = 5;

/** Seconds within which the others follow, one per second if there are not more. */
const SPREAD_SECONDS = 60;

/**
 * Ends the pause that a system requested for the account of these settings, and returns whether there was one. The sweep then
 * synchronizes the active connections with this account, of all applications, and attempts their writes. Call it immediately
 * after the system has accepted a check: otherwise, all processes would call the system during the pause. Can be repeated after an
 * error.
 */
export async function endPause(
  { store, quotas }: { readonly store: Store; readonly quotas: Pick<Quotas, 'pausesOf' | 'resume'> },
  platform: Platform,
  settings: Settings,
): Promise<boolean> {
  const account = accountOf(platform, settings);
  if (!(await quotas.pausesOf([account])).has(account)) return false;
  const ids = await connectionsOfAccount(store, platform, settings);
  for (const [index, id] of ids.entries()) {
    const seconds = FIRST_SECONDS + index * Math.min(1, SPREAD_SECONDS / ids.length);
    await makeWritesDue(store, id, seconds);
    await makeFailedDue(store, id, seconds);
  }
  return quotas.resume(account);
}

/** Attempts the writes of a connection immediately that wait for another attempt. */
export async function attemptWrites({ store, ...parts }: Parts, connectionId: string): Promise<void> {
  await makeWritesDue(store, connectionId, 0);
  await wakeQueue(parts, { connectionId });
}

/** Ids of the active connections of all applications with the account of these settings. */
async function connectionsOfAccount(store: Store, platform: Platform, settings: Settings): Promise<string[]> {
  const account = accountOf(platform, settings);
  const ids = await activeConnectionsTo(store, platform.id, systemIdentity(platform, settings));
  const known = await readableSettings(store, ids);
  return [...known].flatMap(([id, each]) => (accountOf(platform, each as Settings) === account ? [id] : []));
}
