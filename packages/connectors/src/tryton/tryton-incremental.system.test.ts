import { describe, expect, test } from 'vitest';
import { trytonOfFile } from '../../test/running-tryton.ts';
import { followedRelations, relatedRow } from '../../test/tryton-relations.ts';

const { tryton, connection } = await trytonOfFile();

/** Keys of the rows that a pass reads after a change, if an earlier pass has read everything before it. */
async function changedAfter(change: () => Promise<unknown>, stream = 'party.party'): Promise<string[]> {
  // Timestamps of records are whole seconds here, so the mark must be in an earlier one.
  const since = await nextSecond();
  await change();
  return (await connection.pullAll(stream, { since })).map(({ key }) => key);
}

async function nextSecond(): Promise<string> {
  const now = Date.now();
  const next = Math.ceil((now + 1) / 1000) * 1000;
  await new Promise((resolve) => setTimeout(resolve, next - now));
  return new Date(next).toISOString();
}

describe('an incremental pass', () => {
  test('reads nothing when nothing changed', async () => {
    expect(await changedAfter(async () => undefined)).toEqual([]);
  });

  test('reads new rows, which have no date of change yet, and changed ones', async () => {
    let created = 0;
    const keys = await changedAfter(async () => {
      created = await tryton.rpc.createOne('party.party', { name: 'Newcomer' });
      await tryton.rpc.write('party.party', 20, { name: 'Renamed' });
    });
    expect(keys).toEqual(['20', String(created)]);
  });

  test('reads a row whose email address changed in another model', async () => {
    const { id } = await tryton.rpc.one('party.contact_mechanism', [
      ['party', '=', 21],
      ['type', '=', 'email'],
    ]);
    const keys = await changedAfter(() =>
      tryton.rpc.write('party.contact_mechanism', Number(id), { value: 'a@b.example' }),
    );
    expect(keys).toEqual(['21']);
  });

  test('reads a party that became a vendor through its first order', async () => {
    const party = await tryton.rpc.createOne('party.party', { name: 'First-timer' });
    expect(await connection.read('Vendor', String(party))).toBeNull();
    const keys = await changedAfter(() => tryton.rpc.createOne('purchase.purchase', { party }));
    expect(keys).toContain(String(party));
    expect(await connection.read('Vendor', String(party))).toMatchObject({ name: 'First-timer' });
  });

  test('reads an order when one of its lines changed', async () => {
    const { id, purchase } = await tryton.rpc.one('purchase.line', [['purchase.state', '=', 'draft']], ['purchase']);
    const keys = await changedAfter(
      () => tryton.rpc.write('purchase.line', Number(id), { quantity: 99 }),
      'purchase.purchase',
    );
    expect(keys).toEqual([String(purchase)]);
  });

  test('has a mark before the current time of the server', async () => {
    const before = Date.now();
    const mark = Date.parse(String(await connection.driver.changes.mark(connection.stream('party.party'))));
    // The server's clock has whole seconds.
    expect(mark).toBeGreaterThan(before - 301_000);
    expect(mark).toBeLessThanOrEqual(Date.now() - 300_000);
  });
});

test.each(followedRelations)('$stream is read again when a record at $relation changed', async (followed) => {
  const { rpc } = tryton;
  const { key, id } = await relatedRow(rpc, followed);
  const keys = await changedAfter(() => rpc.write(followed.model, id, followed.change), followed.stream);
  expect(keys).toContain(key);
});

test('touchedBy of the platform names every relation whose changes it can find', async () => {
  const { platform, driver } = connection;
  const missed = platform.streams.map(async (stream) => [stream.name, await driver.discover.unwatched?.(stream)]);
  expect((await Promise.all(missed)).filter(([, relations]) => relations?.length !== 0)).toEqual([]);
});
