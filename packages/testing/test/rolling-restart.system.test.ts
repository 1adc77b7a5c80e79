import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { companyOf, syncedCompany } from '@unified/engine/testing/synced-company';
import { createClient } from '@unified/sdk';
import { issueConnectionToken } from '@unified/store';
import { database, type TestDatabase } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { companySettings } from '../../sandbox/test/company-database.ts';
import { freePort } from '../../store/src/embedded/free-port.ts';
import { type LoadBalancer, startLoadBalancer } from './load-balancer.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

const PROCESSES = 4;
const READERS = 4;
const WRITERS = 2;
/** Seconds for which a write waits for its outcome; nginx closes requests that take longer than its shutdown. */
const WAIT = 1;
/** Starting four processes on a busy machine. */
const START_MS = 700_000;

let base: TestDatabase;
let token: string;
let worker: StartedProcess;
let balancer: LoadBalancer;
const apis = new Map<number, StartedProcess>();

const startApi = async (port: number) => void apis.set(port, await startProcess(base, 'api', { PORT: `${port}` }));

beforeAll(async () => {
  base = await database(undefined, undefined, syncedCompany);
  const { connectionId } = await companyOf(base, base.store);
  ({ token } = await issueConnectionToken(base.store, { connectionId, name: 'Load' }));
  worker = await startProcess(base, 'worker');
  for (let n = 0; n < PROCESSES; n += 1) await startApi(await freePort());
  balancer = await startLoadBalancer([...apis.keys()]);
}, START_MS);
afterAll(async () => {
  await balancer?.stop();
  for (const each of [worker, ...apis.values()]) await each?.kill().catch(() => {});
  await base?.stop();
});

/** Each request has a connection of its own: nginx closes the idle ones when it is configured again. */
const agent = new Agent({ keepAlive: false });

/** Sends a request through the balancer; returns its status and body. */
async function send(method: 'GET' | 'POST', path: string, json?: unknown): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Prefer: `wait=${WAIT}` };
  const sent = request(`${balancer.baseUrl}/v4${path}`, { method, agent, headers }, (response) => {
    text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject);
  });
  sent.on('error', reject);
  sent.end(json === undefined ? undefined : JSON.stringify(json));
  return promise;
}

/** Reads and writes until `stop`, which returns the number of requests, those that failed, and the names that were created. */
function startLoad() {
  let isStopped = false;
  let requests = 0;
  const failures: string[] = [];
  const names: string[] = [];
  const client = createClient({ baseUrl: balancer.baseUrl, token });
  const repeat = async (once: (n: number) => Promise<void>) => {
    for (let n = 1; !isStopped; n += 1) {
      await once(n).catch((error: unknown) => failures.push(String(error)));
      requests += 1;
    }
  };
  const expected = (ended: string) => /^(200|201|202) /.test(ended) || failures.push(ended);
  const create = (reader: string) => (n: number) => {
    const name = `Rolling ${reader} ${n}`;
    names.push(name);
    return { name };
  };
  const loops = [
    ...Array.from({ length: READERS }, () =>
      repeat(async () => void expected(await send('GET', '/vendors?per_page=5'))),
    ),
    ...Array.from({ length: WRITERS }, (_, writer) =>
      repeat(async (n) => void expected(await send('POST', '/vendors', create(`${writer}`)(n)))),
    ),
    // Its connections stay open.
    repeat(async () => void (await client.vendors.list({ per_page: 5 }))),
    repeat(async (n) => void (await client.vendors.create(create('SDK')(n)))),
  ];
  return {
    requests: () => requests,
    async stop() {
      isStopped = true;
      await Promise.all(loops);
      return { requests, failures, names };
    },
  };
}

/** Follows new vendors in one stream; `stop` returns their ids. */
async function startStream() {
  const client = createClient({ baseUrl: balancer.baseUrl, token });
  const ids: string[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const { meta } = await client.changes.list({ cursor: 'latest' });
  const follow = async () => {
    const changes = client.changes.follow({
      after: meta.next_cursor ?? expect.fail('there is no cursor'),
      entity: ['Vendor'],
      kind: ['created'],
      signal,
    });
    for await (const { id } of changes) ids.push(id);
  };
  const ended = follow().catch((error: unknown) => signal.aborted || Promise.reject(error));
  return {
    ids,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Restarts the process at a port while nginx sends it no requests. */
async function restart(port: number): Promise<void> {
  await balancer.use([...apis.keys()].filter((each) => each !== port));
  const api = apis.get(port) ?? expect.fail('there is no such process');
  await api.terminate();
  expect(await api.exit()).toBe(0);
  await startApi(port);
  await balancer.use([...apis.keys()]);
}

test('processes are restarted in turn under load, no request fails, and a stream misses no change', {
  timeout: 600_000,
}, async ({ annotate }) => {
  const stream = await startStream();
  const load = startLoad();
  await expect.poll(load.requests, { timeout: 60_000 }).toBeGreaterThan(100);
  const began = performance.now();
  for (const port of [...apis.keys()]) await restart(port);
  const seconds = (performance.now() - began) / 1000;
  const { requests, failures, names } = await load.stop();
  await annotate(`${PROCESSES} processes in ${seconds.toFixed(1)} s, during ${requests} requests`);
  expect(failures).toEqual([]);
  expect(await balancer.errors()).toBe('');
  // On a busy machine, the outcome of a write can take longer than a request waits.
  await expect.poll(created, { timeout: 120_000, interval: 200 }).toEqual(names.toSorted());
  await expect.poll(() => stream.ids.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(names.length);
  await stream.stop();
  expect(new Set(stream.ids).size).toBe(names.length);
  expect(stream.ids).toHaveLength(names.length);
});

/** Names of the vendors that the company has received, each as often as it has it. */
async function created(): Promise<string[]> {
  const { url, schema } = await companySettings(base);
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(`select name1 as name from lief where name1 like 'Rolling %'`);
  await client.end();
  return rows.map(({ name }) => name).toSorted();
}
