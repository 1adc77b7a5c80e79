import { randomInt } from 'node:crypto';
import { checkedFetch, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Servers, type Vendor, type Written, writeVendor } from './persistent-client.ts';
import { replicaReads } from './replica-use.ts';
import { type SeveralProcesses, startSeveralProcesses } from './several-processes.ts';
import type { StartedProcess } from './started-process.ts';

/** Starting four processes and a replica on a busy machine. */
const START_MS = 900_000;
const PATIENCE = { timeout: 120_000, interval: 50 };

const AT_ONCE = 6;
/** How often the replica is stopped, and the largest number of reads that it serves before. */
const STOPS = 4;
const MOST_READS = 30;
/** Number of writes after which a server and a worker are killed. */
const KILLED_AFTER = 30;

let running: SeveralProcesses;

beforeAll(async () => {
  running = await startSeveralProcesses({ replicated: true });
}, START_MS);
afterAll(() => running?.stop());

function connectionAt(index: number): TestConnection {
  const { connections } = running;
  return connections[index % connections.length] ?? expect.fail('there is no connection');
}

/** These processes, in turn from the nth one. */
function serversFrom(apis: readonly StartedProcess[], n: number): Servers {
  return {
    address: async (attempt) => apis[(n + attempt) % apis.length]?.baseUrl ?? expect.fail('there is no server'),
  };
}

/** What a read with the position of a create returns, as a record and in a list. */
async function readBack({ baseUrl }: StartedProcess, token: string, { vendor, position }: Written): Promise<unknown[]> {
  const headers = { Authorization: `Bearer ${token}`, 'Data-Position': position };
  const get = <Body>(path: string) => checkedFetch<Body>(`${baseUrl}/v4/vendors${path}`, { headers });
  const record = await get<{ data: Vendor }>(`/${vendor.id}`);
  const list = await get<{ data: Vendor[] }>(`?filter[id]=${vendor.id}`);
  return [record.status, record.body.data?.name, list.status, list.body.data?.[0]?.name];
}

/** Stops the replica several times while a process reads from it, and starts it again. */
async function disturb(reader: StartedProcess): Promise<void> {
  for (let stops = 0; stops < STOPS; stops += 1) {
    const before = await replicaReads(reader);
    const more = randomInt(1, MOST_READS);
    await expect.poll(() => replicaReads(reader), PATIENCE).toBeGreaterThanOrEqual(before + more);
    await running.standby?.stop(stops % 2 === 0 ? 'SIGQUIT' : 'SIGINT');
    await running.standby?.start();
  }
}

test('with a replica, a server and a worker that are killed, no write is lost or doubled, and no read fails or is stale', {
  timeout: 900_000,
}, async () => {
  const [killed, survivor] = running.apis;
  const [worker = expect.fail('there is no worker')] = running.workers;
  let apis: readonly StartedProcess[] = running.apis;
  let isDisturbed = true;
  const disturbing = disturb(survivor).finally(() => {
    isDisturbed = false;
  });
  const wrong: unknown[] = [];
  const kills: Promise<void>[] = [];
  let writes = 0;
  for (; isDisturbed || writes <= KILLED_AFTER; writes += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, async (_, at) => {
      const [name, { token }] = [`Replicated ${writes + at}`, connectionAt(writes + at)];
      const created = await writeVendor(serversFrom(apis, writes + at), token, { name });
      const found = await readBack(survivor, token, created);
      if (JSON.stringify(found) !== JSON.stringify([200, name, 200, name])) wrong.push(found);
    });
    if (writes === KILLED_AFTER) {
      kills.push(killed.kill(), worker.kill());
      apis = [survivor];
    }
    await Promise.all(batch);
  }
  await Promise.all([disturbing, ...kills]);
  expect(wrong).toEqual([]);
  const company = await running.companySession();
  const { rows } = await company.query(`select name1 as name from lief where name1 like 'Replicated %'`);
  const names = Array.from({ length: writes }, (_, n) => `Replicated ${n}`);
  expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());
});
