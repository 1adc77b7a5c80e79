import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { CITUS_URL } from '../../test/cluster-server.ts';
import { testDatabase } from '../../test/database.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { appendChanges, lockChangeCursor, moveChangeCursor, watchChanges } from './change-log.ts';
import { changesAfter } from './read-changes.ts';

// Thousands of transactions, on a machine that can be busy.
vi.setConfig({ testTimeout: 600_000 });

const { freshScope } = await testDatabase();
/** Each statement of a cluster needs several round trips between its servers, one transaction after another. */
const TRANSACTIONS = CITUS_URL === undefined ? 10_000 : 1_000;
/** One in this many is rolled back. */
const FAILING = 10;
const WRITERS = 6;

class Undone extends Error {}

/** The number of the last change that the transaction sees. */
async function lastSeen(scope: Scope): Promise<number> {
  const query = 'select coalesce(max(seq), 0) as last from unified.changes where connection_id = $1';
  const [row] = await sessionOf(scope).run<{ last: number }>(query, [scope.connectionId]);
  return row?.last ?? 0;
}

/**
 * A transaction that logs up to three changes. It sees those of all transactions before it. Others that began later commit before
 * it, and it may be rolled back.
 */
async function transaction(scope: Scope, n: number): Promise<void> {
  const { connectionId } = scope;
  const writing = scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    if (n % 3 === 0) await session.run('select 1');
    const last = await lockChangeCursor(inner);
    expect(await lastSeen(inner)).toBe(last);
    const count = 1 + (n % 3);
    const change = () => ({ entity: 'Maker', id: randomUUID(), kind: 'updated', fields: [String(n)] }) as const;
    await appendChanges(inner, last, Array.from({ length: count }, change));
    await moveChangeCursor(session, connectionId, last + count);
    if (n % FAILING === 0) throw new Undone();
  });
  await writing.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}

/** The transactions in the order in which they begin. */
async function write(scope: Scope): Promise<void> {
  let begun = 0;
  const writer = async () => {
    while (begun < TRANSACTIONS) {
      begun += 1;
      await transaction(scope, begun);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Follows the log until it has this number of changes. Returns their numbers, and the transactions that logged them. */
async function follow(scope: Scope, count: number, limit: number) {
  const seen: number[] = [];
  const writers: number[] = [];
  for (let cursor: string | null = null; seen.length < count; ) {
    const watch = await watchChanges(scope, { ms: 1_000 });
    const found = await changesAfter(scope, cursor, limit);
    seen.push(...found.changes.map(({ seq }) => seq));
    writers.push(...found.changes.map(({ fields }) => Number(fields[0])));
    cursor = found.cursor;
    if (!found.hasMore && seen.length < count) await watch.noticed;
    watch.stop();
  }
  return { seen, writers };
}

test(`readers neither miss nor repeat a change of ${TRANSACTIONS} transactions that commit out of order`, async () => {
  const scope = freshScope();
  const kept = Array.from({ length: TRANSACTIONS }, (_, index) => index + 1).filter((n) => n % FAILING !== 0);
  const expected = kept.flatMap((n) => Array.from({ length: 1 + (n % 3) }, () => n));
  const [often, inParts] = await Promise.all([
    follow(scope, expected.length, 1_000),
    follow(scope, expected.length, 7),
    write(scope),
  ]);
  const all = Array.from({ length: expected.length }, (_, index) => index + 1);
  expect(often.seen).toEqual(all);
  expect(inParts.seen).toEqual(all);
  expect(often.writers.toSorted((a, b) => a - b)).toEqual(expected);
  expect(often.writers).not.toEqual(expected);
});
