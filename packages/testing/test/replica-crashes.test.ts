import { randomInt, randomUUID } from 'node:crypto';
import { checkedFetch, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** A vendor as it was created, and the position of the response. */
interface Created {
  readonly connection: TestConnection;
  readonly id: string;
  readonly name: string;
  readonly position: string;
}

/** Creates a vendor. A client that gets no response, or not the outcome, repeats its request elsewhere with the same key. */
async function create(apis: readonly StartedProcess[], n: number): Promise<Created> {
  const [connection, name, key] = [connectionAt(n), `Replicated ${n}`, randomUUID()];
  const headers = { Authorization: `Bearer ${connection.token}`, 'Idempotency-Key': key, Prefer: 'wait=30' };
  const send = (api: StartedProcess | undefined) =>
    checkedFetch<{ data: { id: string } }>(`${api?.baseUrl}/v4/vendors`, { method: 'POST', headers, json: { name } });
  for (let attempt = n; ; attempt += 1) {
    const response = await send(apis[attempt % apis.length]).catch(() => undefined);
    const position = response?.headers.get('data-position');
    if (response && response.status < 202 && position) return { connection, name, position, id: response.body.data.id };
  }
}

/** What a read with the position of a write returns, as a record and in a list. */
async function readBack({ baseUrl }: StartedProcess, { connection, id, position }: Created): Promise<unknown[]> {
  const headers = { Authorization: `Bearer ${connection.token}`, 'Data-Position': position };
  const get = <Body>(path: string) => checkedFetch<Body>(`${baseUrl}/v4/vendors${path}`, { headers });
  const record = await get<{ data: { name: string } }>(`/${id}`);
  const list = await get<{ data: { name: string }[] }>(`?filter[id]=${id}`);
  return [record.status, record.body.data?.name, list.status, list.body.data?.[0]?.name];
}

/** How often a process has read from the replica. */
async function replicaReads({ operatorUrl }: StartedProcess): Promise<number> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(/^unified_replica_reads_total\{replica="1"\} (\d+)$/m.exec(text)?.[1]);
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
      const created = await create(apis, writes + at);
      const found = await readBack(survivor, created);
      if (JSON.stringify(found) !== JSON.stringify([200, created.name, 200, created.name])) wrong.push(found);
    });
    if (writes === KILLED_AFTER) {
      kills.push(killed.kill(), running.workers[0].kill());
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
