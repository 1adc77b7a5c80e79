import { entities } from '@unified/contract';
import { createApplication, createConnection, issueConnectionToken, openStore } from '@unified/store';
import pg from 'pg';
import { median, type Part } from './budget.ts';
import { type Child, startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';

const CHANGES = 300_000;
const ROUNDS = 5;
const STREAMS = 1_000;
/** An application can have 100 streams. */
const APPLICATIONS = STREAMS / 100;

/** Changes that one stream reads per second of CPU time of the server, and the memory of many streams. */
export const feed: Part = {
  name: 'feed',
  about: `${CHANGES} changes by one stream, per second of CPU time; memory of ${STREAMS} open streams`,
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_feed');
    const { connectionId, token } = await listFixture(databaseUrl, 1_000);
    const last = await logChanges(databaseUrl, connectionId);
    const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '1' });
    try {
      const speeds: number[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) speeds.push(await speedOf(server, token, last));
      // The first round warms up.
      const speed = median(speeds.slice(1));
      const megabytes = await memoryOfStreams(server, await tokensOf(databaseUrl));
      bench.say(
        `${Math.round(speed)} changes per second of CPU time; ${Math.round(megabytes)} MB for ${STREAMS} streams`,
      );
      return [
        {
          name: 'changes read by one stream',
          value: speed,
          unit: '/s of CPU',
          budget: { atLeast: 50_000 },
          figures: {},
        },
        { name: `memory of ${STREAMS} streams`, value: megabytes, unit: 'MB', budget: { atMost: 150 }, figures: {} },
      ];
    } finally {
      await server.stop();
    }
  },
};

/** Returns the number of the last change. */
async function logChanges(databaseUrl: string, connectionId: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    `with moved as (
       update unified.change_cursors set seq = seq + $2 where connection_id = $1 returning seq - $2::bigint as last)
     insert into unified.changes (connection_id, seq, entity, id, kind, fields)
     select $1, last + n, 'Vendor', gen_random_uuid(), 'updated', '{name,terms}' from moved, generate_series(1, $2::int) n`,
    [connectionId, CHANGES],
  );
  await client.query('analyze unified.changes');
  const found = await client.query('select seq from unified.change_cursors where connection_id = $1', [connectionId]);
  await client.end();
  return Number(found.rows[0].seq);
}

async function open({ url }: Child, token: string, query: string, signal: AbortSignal) {
  const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' };
  const response = await fetch(`${url}/v4/changes?${query}`, { headers, signal });
  if (response.status !== 200 || !response.body) throw new Error(`A stream returned ${response.status}.`);
  return response.body.getReader();
}

async function speedOf(server: Child, token: string, last: number): Promise<number> {
  const leaving = new AbortController();
  const reader = await open(server, token, 'cursor=0', leaving.signal);
  const before = await server.cpuSeconds();
  const wanted = `"seq":${last},`;
  for (let end = ''; !end.includes(wanted); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error('The stream ended.');
    end = end.slice(-1_000) + Buffer.from(value.subarray(-10_000)).toString();
  }
  const taken = (await server.cpuSeconds()) - before;
  leaving.abort();
  return last / taken;
}

async function tokensOf(databaseUrl: string): Promise<string[]> {
  const key = { id: 'bench', bytes: Buffer.alloc(32, 7) };
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
  const tokens: string[] = [];
  for (let n = 0; n < APPLICATIONS; n += 1) {
    const { id: applicationId } = await createApplication(store, `Benchmark ${n}`);
    const connection = { applicationId, platform: 'sandbox', name: 'Benchmark', settings: {} };
    const { id: connectionId } = await createConnection(store, connection);
    tokens.push((await issueConnectionToken(store, { connectionId })).token);
  }
  await store.close();
  return tokens;
}

/** Megabytes that the process grows by while they are open, of which each has received its first event. */
async function memoryOfStreams(server: Child, tokens: readonly string[]): Promise<number> {
  const before = await server.memory();
  const leaving = new AbortController();
  for (let n = 0; n < STREAMS; n += 1) {
    const reader = await open(server, tokens[n % tokens.length] ?? '', 'cursor=latest', leaving.signal);
    await reader.read();
  }
  const after = await server.memory();
  leaving.abort();
  return (after - before) / 1e6;
}
