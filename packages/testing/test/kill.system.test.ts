import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTryton, startTryton } from '../../../systems/tryton/start.ts';
import { CHANGES, killMoments } from './kill-moments.ts';
import { type LaneWork, queueWrites } from './kill-writes.ts';
import { startProxy, type TrytonProxy } from './proxy.ts';
import { seededRandom } from './seeded-random.ts';
import { type Stack, startStack } from './stack.ts';
import { connectTryton } from './tryton-connection.ts';
import { partyInTryton } from './tryton-party.ts';
import { startWorkerProcess } from './worker-process.ts';

const LANES = 5;
const WRITES = 300;
const KILLS = 30;

/** Changes that a worker makes before it is killed at the most, so that all kills fall into the work. */
const LONGEST_LIFE = 8;

const seed = Number(process.env.KILL_SEED ?? 20261120);
const random = seededRandom(seed);

let tryton: RunningTryton;
let proxy: TrytonProxy;
let stack: Stack;
let lanes: LaneWork[];

beforeAll(async () => {
  [tryton, stack] = await Promise.all([startTryton(), startStack()]);
  // On SQLite two transactions of Tryton take the same number of a sequence, where PostgreSQL would lock it.
  proxy = await startProxy(tryton.url, { alone: CHANGES });
  const worker = await stack.startWorker();
  lanes = [];
  for (let lane = 0; lane < LANES; lane += 1) {
    const connection = await connectTryton(stack, { ...tryton, url: proxy.url }, { timeoutSeconds: 2 });
    await connection.sync('full', ['party.party', 'product.product']);
    lanes.push({ connection, names: [], references: [], changes: new Map(), writeIds: [] });
  }
  await worker.stop();
}, 300_000);

afterAll(async () => {
  await stack?.stop();
  await proxy?.stop();
  await tryton?.stop();
});

/** How many writes are not settled yet. */
async function open(): Promise<number> {
  const pages = await Promise.all(lanes.map(({ connection }) => statuses(connection)));
  return pages.flat().filter((status) => status !== 'succeeded' && status !== 'failed').length;
}

async function statuses({ client }: LaneWork['connection']): Promise<string[]> {
  return (await client.writes.list({ per_page: 100 })).data.map(({ status }) => status);
}

/** Kills worker after worker; gives how often at which moment. */
async function killWorkers(): Promise<Record<string, number>> {
  const moments = Object.entries(killMoments(random));
  const kills: Record<string, number> = {};
  for (let n = 0; n < KILLS; n += 1) {
    const [name, moment] = moments[n % moments.length] ?? ['', async () => undefined];
    const worker = await startWorkerProcess(stack.database);
    await moment(proxy, () => worker.kill(), Math.floor(random() * LONGEST_LIFE));
    kills[name] = (kills[name] ?? 0) + 1;
    expect(await open(), `writes left after kill ${n + 1}`).toBeGreaterThan(0);
  }
  return kills;
}

test('workers that are killed 30 times in the middle of 300 writes lose none and double none', {
  timeout: 420_000,
}, async () => {
  const { rpc } = tryton;
  const before = { parties: await count('party.party'), orders: await count('purchase.purchase') };
  lanes = await Promise.all(lanes.map(({ connection }, lane) => queueWrites(connection, lane)));
  const began = Date.now();
  const kills = await killWorkers();
  const last = await startWorkerProcess(stack.database);

  const writes = (await Promise.all(lanes.map(settledWrites))).flat();
  await last.kill();
  console.log(
    `seed ${seed}: ${writes.length} writes, ${KILLS} kills in ${Math.round((Date.now() - began) / 1000)} s;`,
    `${writes.filter(({ steps }) => steps.some(({ kind }) => kind === 'verify')).length} writes were verified,`,
    `${writes.filter(({ attempts }) => attempts > 1).length} tried more than once`,
    kills,
  );
  expect(writes).toHaveLength(WRITES);
  const others = writes.filter(({ status, synced }) => status !== 'succeeded' || !synced);
  expect(others.map(({ operation, status, error }) => ({ operation, status, error }))).toEqual([]);

  const names = lanes.flatMap((lane) => lane.names);
  const parties = await rpc.search('party.party', [['name', 'like', 'Survivor %']], ['name']);
  expect(parties.map(({ name }) => name).sort()).toEqual(names.toSorted());
  expect(await count('party.party')).toBe(before.parties + names.length);
  expect(await rpc.search('party.contact_mechanism', [['value', 'like', 'survivor-%']])).toHaveLength(names.length);

  const references = lanes.flatMap((lane) => lane.references);
  const orders = await rpc.search('purchase.purchase', [['reference', 'like', 'SURVIVOR-%']], ['reference', 'lines']);
  expect(orders.map(({ reference }) => reference).sort()).toEqual(references.toSorted());
  expect(await count('purchase.purchase')).toBe(before.orders + references.length);
  expect(orders.filter(({ lines }) => (lines as number[]).length !== 1)).toEqual([]);

  for (const lane of lanes) {
    const inOrder = (all: typeof parties, field: string, own: string[]) =>
      all.map((row) => String(row[field])).filter((value) => own.includes(value));
    expect(inOrder(parties, 'name', lane.names)).toEqual(lane.names);
    expect(inOrder(orders, 'reference', lane.references)).toEqual(lane.references);
    for (const [code, { phone, taxNumber }] of lane.changes) {
      const party = await partyInTryton(rpc, await rpc.id('party.party', [['code', '=', code]]));
      expect(party).toMatchObject({ contacts: { phone }, contactCount: 3, taxNumbers: [taxNumber] });
    }
  }

  async function count(model: string): Promise<number> {
    return Number(await rpc.raw(`model.${model}.search_count`, [[], { ...rpc.context, active_test: false }]));
  }
});

/** The write records of a lane once each is settled. */
function settledWrites({ connection: { client }, writeIds }: LaneWork) {
  return Promise.all(
    writeIds.map(async (writeId) => {
      // A failed write is an outcome as well; it is looked at afterwards.
      await client.writes.wait(writeId, { timeoutMs: 180_000 }).catch(() => undefined);
      return client.writes.get(writeId);
    }),
  );
}
