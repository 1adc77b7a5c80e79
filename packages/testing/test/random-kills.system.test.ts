import { type RedisServer, startRedisServer } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../store/test/seeded-random.ts';
import { sendPersistently } from './persistent-client.ts';
import { failAtRandom, Progress, processVictim, redisVictim, replicaVictim, Supervised } from './random-kills.ts';
import { randomWork, type Work } from './random-work.ts';
import { replicaReads, usesReplica } from './replica-use.ts';
import { type SeveralProcesses, startSeveralProcesses } from './several-processes.ts';

/** Starting five processes, a replica and Redis on a busy machine. */
const START_MS = 900_000;
const PATIENCE = { timeout: 120_000, interval: 50 };

/** KILL_SEED sets another sequence of faults; KILLS sets how often each fault happens. */
const seed = Number(process.env.KILL_SEED ?? 20261127);
const times = Number(process.env.KILLS ?? 3);

const WORKERS = 3;
/** Maximum number of steps of the clients between two faults, and during one. */
const LONGEST = 24;
const CLIENTS = 12;

let redis: RedisServer;
let running: SeveralProcesses;
let apis: readonly Supervised[];
let workers: readonly Supervised[];

beforeAll(async () => {
  redis = await startRedisServer();
  // A replica is used for reads without a position however far behind it is, so that only positions make reads current.
  const env = { REDIS_URL: redis.url, REPLICA_MAX_LAG_SECONDS: '3600' };
  running = await startSeveralProcesses({ replicated: true, workers: WORKERS, env });
  apis = running.apis.map((each) => new Supervised(each, running.startApi));
  workers = running.workers.map((each) => new Supervised(each, running.startWorker));
}, START_MS);
afterAll(async () => {
  await running?.stop();
  await redis?.kill();
});

/** Records each row of a vendor that the company stores, and notifies listeners when it is committed. */
const AUDIT = `
  create table erp.stored (id bigserial, name text, terms text);
  create function erp.audit() returns trigger language plpgsql as $$
  begin
    insert into erp.stored (name, terms) values (new.name1, new.zahlbed);
    perform pg_notify('stored', new.name1);
    return new;
  end $$;
  create trigger audit after insert or update on erp.lief for each row
    when (new.name1 like 'Killed %') execute function erp.audit()`;

test('with processes, Redis and the replica killed at random, no write is lost or doubled, and no read is stale', {
  timeout: 1_800_000,
}, async () => {
  console.log(`KILL_SEED=${seed}`);
  const company = await running.companySession();
  await company.query(AUDIT);
  const stored = new Progress();
  company.on('notification', () => stored.step());
  await company.query('listen stored');
  const works = await workWhileAllFail(stored);
  const histories = new Map(works.flatMap((work) => [...work.histories]));
  const writes = [...histories.values()].flat().length;
  expect(works.flatMap(({ wrong }) => wrong.slice(0, 1))).toEqual([]);
  const { rows } = await company.query<{ name: string; terms: string }>(
    'select name, terms from erp.stored order by id',
  );
  const versions = [...Map.groupBy(rows, ({ name }) => name)].map(
    ([name, each]) => [name, each.map(({ terms }) => terms)] as const,
  );
  expect(new Map(versions)).toEqual(histories);
  expect(await outcomes()).toEqual([{ status: 'succeeded', count: writes }]);
  const ids = works.flatMap((work) => [...work.ids]);
  expect(await changes(ids)).toEqual({ created: histories.size, updated: writes - histories.size });
  await expectAllUsed();
});

/**
 * Has clients write and read until each victim has failed as often as it should; reports both. Workers are killed just after the
 * company has stored a row (`stored`): then one of them does not know yet that its call succeeded.
 */
async function workWhileAllFail(stored: Progress): Promise<readonly Work[]> {
  const began = performance.now();
  const progress = new Progress();
  const standby = running.standby ?? expect.fail('there is no replica');
  const servers = apis.map((api, n) => processVictim(`server ${n + 1}`, api));
  const victims = [...servers, redisVictim(redis), replicaVictim(standby, untilReplicaIsUsed)].map(
    (victim) => [victim, progress] as const,
  );
  for (const [n, worker] of workers.entries()) victims.push([processVictim(`worker ${n + 1}`, worker), stored]);
  let isOver = false;
  const failing = Promise.all(
    victims.map(([victim, steps], n) =>
      failAtRandom(victim, { times, longest: LONGEST }, steps, seededRandom(seed + n)),
    ),
  ).finally(() => {
    isOver = true;
  });
  const working = Array.from({ length: CLIENTS }, (_, n) => {
    const { token } = running.connections[n % running.connections.length] ?? expect.fail('there is no connection');
    const random = seededRandom(seed + victims.length + n);
    return randomWork({ token, prefix: `Killed ${n}-`, apis, random, progress }, () => isOver);
  });
  const [faults, works] = await Promise.all([failing, Promise.all(working)]);
  const writes = works.flatMap(({ histories }) => [...histories.values()].flat()).length;
  const sum = (of: (work: Work) => number) => works.reduce((total, work) => total + of(work), 0);
  const seconds = Math.round((performance.now() - began) / 1000);
  const kinds = [...Map.groupBy(faults.flat(), (fault) => fault)].map(([fault, all]) => `${all.length} ${fault}`);
  const reads = `${sum((work) => work.reads)} reads, of which ${sum(({ older }) => older)} without a position were older`;
  console.log(`seed ${seed}: ${writes} writes and ${reads}, in ${seconds} s: ${kinds.join(', ')}`);
  return works;
}

/** Number of write records by status. */
async function outcomes() {
  const { rows } = await running.service.query(
    'select status, count(*)::int from unified.writes group by status order by status',
  );
  return rows;
}

/** Number of changes to vendors that the change logs report, by kind. */
async function changes(ids: readonly string[]) {
  const { rows } = await running.service.query<{ kind: string; count: number }>(
    'select kind, count(*)::int from unified.changes where id = any ($1) group by kind',
    [ids],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

/** A replica that was away is not used until the next check, and one that is not used cannot return anything old. */
async function untilReplicaIsUsed(): Promise<void> {
  const isUsed = async () =>
    (await Promise.all(apis.map(async (api) => usesReplica(await api.running)))).every(Boolean);
  await expect.poll(isUsed, PATIENCE).toBe(true);
}

/** After the faults, both processes use the replica and Redis again. */
async function expectAllUsed(): Promise<void> {
  const [{ token } = expect.fail('there is no connection')] = running.connections;
  for (const each of apis) {
    const api = await each.running;
    const before = await replicaReads(api);
    const read = () =>
      sendPersistently({ address: async () => api.baseUrl }, '/vendors?per_page=1', {
        headers: { Authorization: `Bearer ${token}` },
      });
    await expect.poll(() => read().then(() => replicaReads(api)), PATIENCE).toBeGreaterThan(before);
    await redis.kill();
    await redis.start();
    await expect.poll(() => read().then(() => redis.keys()), PATIENCE).toBeGreaterThan(0);
  }
}
