import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../connectors/test/system-database.ts';
import { connectDatabase, mapAssets } from './mapping-journey.ts';
import { START_MS, type Stack, startStack } from './stack.ts';

const MACHINES = `
  CREATE TABLE machines (
    id integer PRIMARY KEY, name text NOT NULL, description text, serial_no text, purchased date);
  INSERT INTO machines
    SELECT n, 'Press ' || n, CASE n % 2 WHEN 1 THEN 'Hydraulic' END, 'P-' || n, '2020-05-01' FROM generate_series(1, 1200) n;`;

let server: Awaited<ReturnType<typeof testDatabase>>;
let stack: Stack;

beforeAll(async () => {
  [server, stack] = await Promise.all([testDatabase(), startStack()]);
  await stack.startWorker();
}, START_MS);
afterAll(async () => {
  await stack?.stop();
  await server?.stop();
});

test(
  'a PostgreSQL that no platform describes is connected, and its table becomes records, by API alone',
  async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(MACHINES);
    await client.end();
    expect(await mapAssets(await connectDatabase(stack, server.url, 'machines'))).toBeGreaterThan(0);
  },
  START_MS,
);
