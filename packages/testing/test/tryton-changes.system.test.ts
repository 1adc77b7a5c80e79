import type { Client } from '@unified/sdk';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Rpc } from '../../../test-systems/tryton/rpc.ts';
import { START_MS } from './stack.ts';
import { startTrade, type Trade } from './trade.ts';

const PARTIES = 'party.party';

let trade: Trade;
let client: Client;
let rpc: Rpc;
let supplier: number;

beforeAll(async () => {
  trade = await startTrade();
  client = trade.client;
  rpc = trade.tryton.rpc;
  supplier = await rpc.id('party.category', [['name', '=', 'Supplier']]);
}, START_MS);

afterEach(() => trade.proxy.clear());
afterAll(() => trade?.stop());

const addSupplier = (name: string) => rpc.createOne(PARTIES, { name, categories: [['add', [supplier]]] });
const listed = async (name: string) => (await client.vendors.list({ filter: { name } })).data;

test('records that are new or changed in Tryton are listed after the next sync', async () => {
  await addSupplier('Newcomer');
  const id = await rpc.id(PARTIES, [['code', '=', 'V002']]);
  await rpc.write(PARTIES, id, { name: 'Acme Steel & Sons' });
  const email = await rpc.id('party.contact_mechanism', [
    ['party', '=', id],
    ['type', '=', 'email'],
  ]);
  await rpc.write('party.contact_mechanism', email, { value: 'sons@acme.example' });
  expect(await listed('Newcomer')).toEqual([]);
  await trade.sync('incremental', [PARTIES]);
  expect(await listed('Newcomer')).toHaveLength(1);
  const { data } = await client.vendors.list({ filter: { code: 'V002' } });
  expect(data).toMatchObject([{ name: 'Acme Steel & Sons', email: 'sons@acme.example', _idValue: String(id) }]);
});

test('a record that is deleted in Tryton is removed from the list by the next full sync, and is still available by its id', async () => {
  const key = await addSupplier('Short-lived');
  await trade.sync('incremental', [PARTIES]);
  const [vendor] = await listed('Short-lived');
  const before = Date.now();
  await rpc.call(PARTIES, 'delete', [key]);
  await trade.sync('full', [PARTIES]);
  expect(await listed('Short-lived')).toEqual([]);
  const deleted = await client.vendors.get(vendor?.id ?? '');
  expect(Date.parse(deleted._deletedAt ?? '')).toBeGreaterThanOrEqual(before);
  await expect(client.vendors.update(deleted.id, { name: 'Revived' })).rejects.toMatchObject({
    code: 'SERVICE_RECORD_DELETED',
  });
});

test('a full sync that fails midway deletes nothing; it is completed when Tryton responds again', async () => {
  const key = await addSupplier('Doomed');
  await trade.sync('incremental', [PARTIES]);
  const before = (await client.vendors.list({ with_total: true })).meta.total;
  await rpc.call(PARTIES, 'delete', [key]);
  // Of three pages, the first is returned; the second always fails.
  const cuts = [1, 1].map((skip) => trade.proxy.meet(/party\.party\.search_read$/, { answer: 'cut' }, skip));
  expect(await trade.failingSync('full', PARTIES)).toMatch(/./);
  await Promise.all(cuts);
  expect((await client.vendors.list({ with_total: true })).meta.total).toBe(before);
  expect(await listed('Doomed')).toHaveLength(1);
  await trade.sync('full', [PARTIES]);
  expect(await listed('Doomed')).toEqual([]);
  expect((await client.vendors.list({ with_total: true })).meta.total).toBe(Number(before) - 1);
});

test('a sync that receives an unrelated page deletes nothing', async () => {
  const before = (await client.vendors.list({ with_total: true })).meta.total;
  const pages = [1, 2].map(() => trade.proxy.meet(/party\.party\.search_read$/, { arrives: false, answer: 'html' }));
  expect(await trade.failingSync('full', PARTIES)).toMatch(/not from Tryton/);
  await Promise.all(pages);
  expect((await client.vendors.list({ with_total: true })).meta.total).toBe(before);
});
