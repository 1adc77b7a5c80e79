import type { WriteRecord } from '@unified/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fields } from '../../../test-systems/tryton/rpc.ts';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { seededRandom } from '../../store/test/seeded-random.ts';
import { killMoments } from './kill-moments.ts';
import { type QueueWork, queueWrites } from './kill-writes.ts';
import { startProxy, type TrytonProxy } from './proxy.ts';
import { START_MS, type Stack, startStack } from './stack.ts';
import { startProcess } from './started-process.ts';
import { connectTryton, type TrytonConnection } from './tryton-connection.ts';
import { partyInTryton } from './tryton-party.ts';

const QUEUES = 5;
const WRITES = 300;
const KILLS = 30;

/** Maximum number of changes before a worker is killed, so that all kills happen while there is work. */
const LONGEST_LIFE = 8;

/** Timeout in seconds of a call to Tryton: more than a busy machine needs. After a kill, a queue waits for twice this time. */
const CALL_SECONDS = 5;

const seed = Number(process.env.KILL_SEED ?? 20261120);
const random = seededRandom(seed);

let tryton: RunningTryton;
let proxy: TrytonProxy;
let stack: Stack;
let connections: TrytonConnection[];

beforeAll(async () => {
  [tryton, stack] = await Promise.all([startTryton(), startStack()]);
  proxy = await startProxy(tryton.url);
  const worker = await stack.startWorker();
  connections = [];
  for (let index = 0; index < QUEUES; index += 1) {
    const connection = await connectTryton(stack, { ...tryton, url: proxy.url }, { timeoutSeconds: CALL_SECONDS });
    await connection.sync('full', ['party.party', 'product.product']);
    connections.push(connection);
  }
  await worker.stop();
}, START_MS);

afterAll(async () => {
  await stack?.stop();
  await proxy?.stop();
  await tryton?.stop();
});

/** Number of writes that are not settled yet. */
async function open(): Promise<number> {
  const lists = await Promise.all(connections.map(({ client }) => client.writes.list({ per_page: 100 })));
  return lists.flatMap(({ data }) => data).filter(({ finishedAt }) => finishedAt === null).length;
}

/** Starts and kills one worker at a time; returns the number of kills per moment. */
async function killWorkers(): Promise<Record<string, number>> {
  const moments = Object.entries(killMoments(random));
  const kills: Record<string, number> = {};
  for (let n = 0; n < KILLS; n += 1) {
    const [name, moment] = moments[n % moments.length] ?? ['', async () => undefined];
    const worker = await startProcess(stack.database, 'worker');
    await moment(proxy, () => worker.kill(), Math.floor(random() * LONGEST_LIFE));
    kills[name] = (kills[name] ?? 0) + 1;
    expect(await open(), `writes left after kill ${n + 1}`).toBeGreaterThan(0);
  }
  return kills;
}

test('workers that are killed 30 times during 300 writes lose and duplicate none', {
  timeout: 1_800_000,
}, async () => {
  const before = await counts();
  const queues = await Promise.all(connections.map(queueWrites));
  const began = Date.now();
  const kills = await killWorkers();
  const last = await startProcess(stack.database, 'worker');
  const writes = (await Promise.all(queues.map(settledWrites))).flat();
  await last.kill();
  report(writes, kills, Date.now() - began);

  expect(writes).toHaveLength(WRITES);
  const others = writes.filter(({ status, synced }) => status !== 'succeeded' || !synced);
  expect(others.map(({ operation, status, error }) => ({ operation, status, error }))).toEqual([]);

  await expectVendors(queues);
  await expectOrders(queues);
  await expectChanges(queues);
  const vendors = queues.flatMap(({ names }) => names).length;
  const orders = queues.flatMap(({ references }) => references).length;
  expect(await counts()).toEqual({ parties: before.parties + vendors, orders: before.orders + orders });
});

/** Number of parties and orders in Tryton. */
async function counts() {
  const { rpc } = tryton;
  const count = async (model: string) =>
    Number(await rpc.raw(`model.${model}.search_count`, [[], { ...rpc.context, active_test: false }]));
  return { parties: await count('party.party'), orders: await count('purchase.purchase') };
}

/** The write records of a queue once each is settled. */
function settledWrites({ connection: { client }, writeIds }: QueueWork): Promise<WriteRecord[]> {
  return Promise.all(
    writeIds.map(async (writeId) => {
      // A failed write is also an outcome; it is checked afterwards.
      await client.writes.wait(writeId, { timeoutMs: 600_000 }).catch(() => undefined);
      return client.writes.get(writeId);
    }),
  );
}

function report(writes: readonly WriteRecord[], kills: Record<string, number>, ms: number): void {
  const verified = writes.filter(({ steps }) => steps.some(({ kind }) => kind === 'verify')).length;
  const repeated = writes.filter(({ attempts }) => attempts > 1).length;
  const all = `${writes.length} writes, ${KILLS} kills in ${Math.round(ms / 1000)} s`;
  console.log(`seed ${seed}: ${all}; ${verified} writes were verified, ${repeated} tried more than once`, kills);
}

/** Every vendor exists once and has one contact mechanism; those of a connection are in the requested order. */
async function expectVendors(queues: readonly QueueWork[]): Promise<void> {
  const { rpc } = tryton;
  const parties = await rpc.search('party.party', [['name', 'like', 'Survivor %']], ['name', 'contact_mechanisms']);
  expect(parties.map(({ name }) => name).sort()).toEqual(queues.flatMap(({ names }) => names).toSorted());
  for (const { names } of queues) expect(valuesOf(parties, 'name', names)).toEqual(names);
  expect(parties.filter(({ contact_mechanisms: ways }) => (ways as number[]).length !== 1)).toEqual([]);
}

/** Every order exists once and has one line; those of a connection are in the requested order. */
async function expectOrders(queues: readonly QueueWork[]): Promise<void> {
  const domain = [['reference', 'like', 'SURVIVOR-%']];
  const orders = await tryton.rpc.search('purchase.purchase', domain, ['reference', 'lines']);
  const wanted = queues.flatMap(({ references }) => references);
  expect(orders.map(({ reference }) => reference).sort()).toEqual(wanted.toSorted());
  for (const { references } of queues) expect(valuesOf(orders, 'reference', references)).toEqual(references);
  expect(orders.filter(({ lines }) => (lines as number[]).length !== 1)).toEqual([]);
}

/** Of two changes to a vendor, the later one is effective, and nothing was added twice. */
async function expectChanges(queues: readonly QueueWork[]): Promise<void> {
  const { rpc } = tryton;
  for (const [code, { phone, taxNumber }] of queues.flatMap(({ changes }) => [...changes])) {
    const party = await partyInTryton(rpc, await rpc.id('party.party', [['code', '=', code]]));
    expect(party).toMatchObject({ contacts: { phone }, contactCount: 3, taxNumbers: [taxNumber] });
  }
}

/** The values of a field that are in `wanted`, in the order of the rows. */
function valuesOf(rows: readonly Fields[], field: string, wanted: readonly string[]): string[] {
  return rows.map((row) => String(row[field])).filter((value) => wanted.includes(value));
}
