import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, WriteRecord } from '@unified/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { freePort } from '../../store/src/embedded/free-port.ts';
import { delivered, START_MS, type Stack, startStack } from './stack.ts';
import { startTrade, TRADED, type Trade } from './trade.ts';
import { connectTryton } from './tryton-connection.ts';

/** Timeout in seconds of a call to Tryton: more than a busy machine needs. */
const CALL_SECONDS = 8;
/** For outcomes that are accepted only after twice that time. */
const PATIENT = { timeoutMs: 150_000 };

/** Sends a create and returns the status and body of the response. Calls with the same `name` send the same create. */
async function post(client: Client, name: string, prefer: string) {
  const headers = { Prefer: prefer, 'Idempotency-Key': name };
  const answer = await client.POST('/vendors', { body: { name }, headers });
  return { status: answer.response.status, body: (answer.data ?? answer.error) as Partial<WriteRecord> };
}

describe('a Tryton that is unavailable', () => {
  let directory: string;
  let tryton: RunningTryton;
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tryton-away-'));
    [tryton, stack] = await Promise.all([
      startTryton({ dir: directory, port: await freePort() }),
      startStack(delivered(TRADED)),
    ]);
    await stack.startWorker();
    const connection = await connectTryton(stack, tryton);
    client = connection.client;
    await connection.sync('full', ['party.party']);
  }, START_MS);

  afterAll(async () => {
    await stack?.stop();
    await tryton?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('receives the writes when it is available again; until then lists work, and nothing is lost', async () => {
    const port = Number(new URL(tryton.url).port);
    await tryton.stop();

    const { status, body } = await post(client, 'Patient', 'wait=1');
    expect(status).toBe(202);
    const waiting = { status: 'pending', error: { code: 'SERVICE_SYSTEM_UNAVAILABLE' } };
    await expect.poll(() => client.writes.get(body.writeId ?? '')).toMatchObject(waiting);
    const { data } = await client.vendors.list({ filter: { code: 'V001' } });
    expect(data).toHaveLength(1);
    const update = { phone: '+49 30 555' };
    const queued = [
      body as WriteRecord,
      await client.vendors.update(data[0]?.id ?? '', update, { respondAsync: true }),
      await client.vendors.create({ name: 'Patient too' }, { respondAsync: true }),
    ];
    expect(queued.every(({ result }) => result === null)).toBe(true);

    tryton = await startTryton({ dir: directory, port });
    const settled = await Promise.all(queued.map(({ writeId }) => client.writes.wait(writeId, PATIENT)));
    const ends = settled.map(({ finishedAt }) => Date.parse(finishedAt ?? ''));
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    for (const name of ['Patient', 'Patient too']) {
      expect(await tryton.rpc.search('party.party', [['name', '=', name]])).toHaveLength(1);
      expect((await client.vendors.list({ filter: { name } })).data).toHaveLength(1);
    }
    const phone = await tryton.rpc.one('party.contact_mechanism', [['value', '=', update.phone]], ['party.code']);
    expect(phone).toMatchObject({ 'party.': { code: 'V001' } });
  });
});

describe('a Tryton that responds late, not at all or with an unrelated page', () => {
  const CREATE = /^model\.party\.party\.create$/;
  const LOOK = /^model\.party\.party\.search_read$/;
  let trade: Trade;
  let client: Client;

  beforeAll(async () => {
    trade = await startTrade({ settings: { timeoutSeconds: CALL_SECONDS } });
    client = trade.client;
  }, START_MS);

  afterEach(() => trade.proxy.clear());
  afterAll(() => trade?.stop());

  const copies = (name: string) => trade.tryton.rpc.search('party.party', [['name', '=', name]]);
  const sent = (from: number) => trade.proxy.calls.slice(from).filter((method) => CREATE.test(method)).length;
  /** Creates a vendor whose outcome is known only after the request has timed out. Returns its id in Tryton. */
  const patientCreate = async (name: string) => {
    const { writeId } = await client.vendors.create({ name }, { respondAsync: true });
    return Number((await client.writes.wait(writeId, PATIENT)).result?._idValue);
  };
  const kinds = async (name: string) => {
    const [write] = (await client.writes.list({ per_page: 1 })).data;
    expect(write?.result?.record.name).toBe(name);
    return write?.steps.map(({ kind, status }) => `${kind} ${status}`);
  };

  test('carried out a create whose response was lost: it is found and not sent again', async () => {
    const before = trade.proxy.calls.length;
    const met = trade.proxy.meet(CREATE, { answer: 'cut' });
    const vendor = await client.vendors.create({ name: 'Unheard' });
    await met;
    expect(await copies('Unheard')).toMatchObject([{ id: Number(vendor._idValue) }]);
    expect(sent(before)).toBe(1);
    expect(await kinds('Unheard')).toEqual([
      'resolve succeeded',
      'create succeeded',
      'verify succeeded',
      'read succeeded',
      'store succeeded',
    ]);
  });

  test('carried out a create but returned an unrelated page: it is not sent again', async () => {
    const before = trade.proxy.calls.length;
    const met = trade.proxy.meet(CREATE, { answer: 'html' });
    const vendor = await client.vendors.create({ name: 'Garbled' });
    await met;
    expect(await copies('Garbled')).toMatchObject([{ id: Number(vendor._idValue) }]);
    expect(sent(before)).toBe(1);
  });

  test('never received a create: it is sent again after twice the timeout of a call', async () => {
    const before = trade.proxy.calls.length;
    const began = Date.now();
    const met = trade.proxy.meet(CREATE, { arrives: false, answer: 'cut' });
    const id = await patientCreate('Swallowed');
    await met;
    expect(Date.now() - began).toBeGreaterThan(2_000 * CALL_SECONDS);
    expect(await copies('Swallowed')).toMatchObject([{ id }]);
    expect(sent(before)).toBe(2);
  });

  test('receives a create only after the timeout: it is found and not sent again', async () => {
    const before = trade.proxy.calls.length;
    const asked = trade.proxy.meet(LOOK, {});
    const met = trade.proxy.meet(CREATE, { before: () => asked });
    const id = await patientCreate('Dawdling');
    await met;
    expect(await copies('Dawdling')).toMatchObject([{ id }]);
    expect(sent(before)).toBe(1);
  });

  test('leaves an outcome unknown while it is unavailable; then the write is settled', async () => {
    const created = trade.proxy.meet(CREATE, { answer: 'cut' });
    for (let look = 0; look < 1_000; look += 1) void trade.proxy.meet(LOOK, { arrives: false });
    const { writeId = '' } = (await post(client, 'In limbo', 'respond-async')).body;
    await created;
    await expect.poll(async () => (await client.writes.get(writeId)).status).toBe('unknown');
    const { status, body } = await post(client, 'In limbo', 'wait=1');
    expect([status, (body as { code?: string }).code]).toEqual([502, 'SERVICE_OUTCOME_UNKNOWN']);
    expect((await client.vendors.list({ filter: { code: 'V001' } })).data).toHaveLength(1);
    trade.proxy.clear();
    expect(await client.writes.wait(writeId, PATIENT)).toMatchObject({ status: 'succeeded' });
    expect(await copies('In limbo')).toHaveLength(1);
  });

  test('creates an order once and runs an action once, although both responses were lost', async () => {
    const [vendor] = (await client.vendors.list({ filter: { code: 'V001' } })).data;
    const [item] = (await client.inventoryItems.list({ filter: { code: 'PUMP-1' } })).data;
    const made = trade.proxy.meet(/^model\.purchase\.purchase\.create$/, { answer: 'cut' });
    const order = await client.purchaseOrders.create({
      vendor: { id: vendor?.id ?? '' },
      reference: 'ONCE',
      lines: [{ item: { id: item?.id ?? '' }, quantity: 1 }],
    });
    await made;
    const pressed = trade.proxy.meet(/^model\.purchase\.purchase\.quote$/, { answer: 'html' });
    const before = trade.proxy.calls.length;
    await client.writes.wait((await client.purchaseOrders.submit(order.id)).writeId);
    await pressed;
    expect(trade.proxy.calls.slice(before).filter((method) => method.endsWith('.quote'))).toHaveLength(1);
    const inTryton = await trade.tryton.rpc.search('purchase.purchase', [['reference', '=', 'ONCE']], ['state']);
    expect(inTryton).toEqual([{ id: Number(order._idValue), state: 'quotation' }]);
  });
});
