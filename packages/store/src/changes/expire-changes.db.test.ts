import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { maker } from '../../test/gadget.ts';
import {
  changesAfter,
  createApplication,
  createConnection,
  expireLogs,
  registerClient,
  type Scope,
  saveRecords,
  setClientSetting,
} from '../index.ts';

const { store, admin } = await testDatabase();
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-23T12:00:00Z');

/** A connection of a new application, whose clients have these retentions; undefined if none is set. */
async function connectionWith(...retentions: (number | undefined)[]): Promise<Scope> {
  const { id: applicationId } = await createApplication(store, 'Acme');
  const application = store.application(applicationId);
  for (const [n, value] of retentions.entries()) {
    const settings = { name: `Client ${n}`, email: `${n}@acme.example` };
    const clientId = n === 0 ? applicationId : (await registerClient(application, settings)).id;
    if (value !== undefined) await setClientSetting(application, clientId, { name: 'logRetention', value });
  }
  const { id: connectionId } = await createConnection(store, { applicationId, platform: 't', settings: {}, name: 'C' });
  return store.scope({ applicationId, connectionId });
}

/** Logs this number of changes on a day. */
async function log({ connectionId }: Scope, daysAgo: number, count = 1): Promise<void> {
  await admin.query(
    `with moved as (
       insert into unified.change_cursors as c (connection_id, seq) values ($1, $2)
       on conflict (connection_id) do update set seq = c.seq + $2 returning seq)
     insert into unified.changes (connection_id, seq, entity, id, kind, fields, at)
     select $1, moved.seq - $2::int + n, 'Maker', gen_random_uuid(), 'updated', '{}', $3
       from moved, generate_series(1, $2::int) n`,
    [connectionId, count, new Date(NOW - daysAgo * DAY_MS)],
  );
}

async function keptOf(scope: Scope): Promise<number[]> {
  const { changes } = await changesAfter(scope, null, 100);
  return changes.map(({ at }) => (NOW - Date.parse(at)) / DAY_MS);
}

test('changes are kept for the longest retention of any client, and for at least 7 days', async () => {
  const usual = await connectionWith(undefined);
  const shortest = await connectionWith(1);
  const mixed = await connectionWith(1, undefined);
  const longest = await connectionWith(365);
  for (const scope of [usual, shortest, mixed, longest])
    for (const daysAgo of [366, 364, 31, 29, 8, 6]) await log(scope, daysAgo);
  await expireLogs(store, NOW);
  expect(await keptOf(usual)).toEqual([29, 8, 6]);
  expect(await keptOf(shortest)).toEqual([6]);
  expect(await keptOf(mixed)).toEqual([29, 8, 6]);
  expect(await keptOf(longest)).toEqual([364, 31, 29, 8, 6]);
});

test('a cursor is refused only if changes after it were removed', async () => {
  const scope = await connectionWith();
  for (const days of [40, 35, 20]) await log(scope, days);
  await expireLogs(store, NOW);
  await expect(changesAfter(scope, '1', 9)).rejects.toMatchObject({ code: 'SERVICE_CURSOR_EXPIRED', status: 410 });
  expect(await changesAfter(scope, '2', 9)).toMatchObject({ changes: [{ seq: 3 }], cursor: '3' });
  expect(await changesAfter(scope, null, 9)).toMatchObject({ changes: [{ seq: 3 }], cursor: '3' });
});

test('many changes are removed, in parts, while others are logged', async () => {
  const scope = await connectionWith();
  await log(scope, 40, 25_000);
  const saving = Array.from({ length: 20 }, (_, n) =>
    saveRecords(scope, maker, [{ _source: 's', _idValue: String(n), values: { name: 'a' }, references: {} }]),
  );
  await Promise.all([expireLogs(store, NOW), expireLogs(store, NOW), ...saving]);
  const { changes, cursor } = await changesAfter(scope, '25000', 100);
  expect([changes.length, cursor]).toEqual([20, '25020']);
  await expect(changesAfter(scope, '24999', 1)).rejects.toMatchObject({ code: 'SERVICE_CURSOR_EXPIRED' });
});
