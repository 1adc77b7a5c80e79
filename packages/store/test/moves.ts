import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { connectionPlace, nodeUses } from '../src/distribution/connection-place.ts';
import { type Scope, type Store, saveRecords } from '../src/index.ts';
import { withConnection } from '../src/sql/own-connection.ts';
import type { TestDatabase } from './database.ts';
import { gadget } from './gadget.ts';

const PROCESS = fileURLToPath(new URL('./moving-process.ts', import.meta.url));

/** Options of a move that shows nothing. */
export const quiet = { blockWrites: false, onStep: () => {}, onCopied: () => {} };

/** A gadget with this key. */
export const record = (key: string) => ({ _source: 's', _idValue: key, values: { name: key }, references: {} });

/** So many keys. */
export const keysOf = (from: string, count: number) => Array.from({ length: count }, (_, n) => `${from}-${n}`);

/** A connection with the gadgets `kept-0` to `kept-49`. */
export async function filled({ freshScope }: Pick<TestDatabase, 'freshScope'>): Promise<Scope> {
  const scope = freshScope();
  await saveRecords(scope, gadget, keysOf('kept', 50).map(record));
  return scope;
}

/** The worker of a connection. */
export async function nodeOf(store: Store, { connectionId }: Scope): Promise<string> {
  return (await connectionPlace(store, connectionId)).node.name;
}

/** A worker that a connection is not on. */
export async function otherNode(store: Store, scope: Scope): Promise<string> {
  const here = await nodeOf(store, scope);
  return (await nodeUses(store)).find(({ name }) => name !== here)?.name ?? expect.fail('the cluster has one worker');
}

/** A number and a hash of all rows of other connections. `url` is for a user who may read them. */
export function hashWithout(url: string, { connectionId }: Scope): Promise<unknown> {
  return withConnection(url, async (client) => {
    const hashes: unknown[] = [];
    for (const table of ['data.gadgets', 'unified.changes']) {
      const { rows } = await client.query(
        `select count(*) as rows, sum(hashtextextended(t::text, 0)) as hash from ${table} t where connection_id <> $1`,
        [connectionId],
      );
      hashes.push(rows[0]);
    }
    return hashes;
  });
}

/** The keys of the gadgets of a connection, and the number of its changes. `url` is for a user who may read them. */
export function storedOf(url: string, { connectionId }: Scope): Promise<{ keys: string[]; changes: number }> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ key: string }>(
      `select "_idValue" as key from data.gadgets where connection_id = $1 order by 1`,
      [connectionId],
    );
    const counted = await client.query<{ n: number }>(
      'select count(*)::int as n from unified.changes where connection_id = $1',
      [connectionId],
    );
    return { keys: rows.map(({ key }) => key).toSorted(), changes: counted.rows[0]?.n ?? 0 };
  });
}

/** A process that moves a connection. */
export interface MovingProcess {
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  readonly isRunning: () => boolean;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Starts the move in a process of its own. */
export function startMove(url: string, { connectionId }: Scope, to: string): MovingProcess {
  const child = spawn(process.execPath, [PROCESS, url, connectionId, to], { stdio: ['ignore', 'pipe', 'pipe'] });
  const outcome = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return {
    kill: (signal) => void child.kill(signal),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended: outcome.then(([[code], stdout, stderr]) => ({ code, stdout, stderr })),
  };
}

/** Saves records one after another until `ended`; each is repeated until it is stored. Returns their keys. */
export async function keepSaving(scope: Scope, prefix: string, ended: Promise<unknown>) {
  let isEnded = false;
  const end = ended
    .catch(() => {})
    .finally(() => {
      isEnded = true;
    });
  const keys: string[] = [];
  let failures = 0;
  const isSaved = (key: string) =>
    saveRecords(scope, gadget, [record(key)]).then(
      () => true,
      () => false,
    );
  for (let n = 0; !isEnded; n += 1) {
    const key = `${prefix}-${n}`;
    for (; !(await isSaved(key)); await pause(50)) failures += 1;
    keys.push(key);
    await Promise.race([end, pause(50)]);
  }
  return { keys, failures };
}
