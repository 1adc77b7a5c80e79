import { connectionById } from '@unified/store';
import { signIn } from '@unified/testing';
import { afterEach, expect, test } from 'vitest';
import { executeIn, startMariaDb } from '../../connectors/test/running-mariadb.ts';
import { connectDatabase, mapAssets } from './mapping-journey.ts';
import { START_MS, startStack } from './stack.ts';
import { startTrade } from './trade.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

test(
  'a model of Tryton that nothing reads becomes records, by API alone',
  async () => {
    const { stack, connectionId, stop } = await startTrade();
    stops.push(stop);
    const { baseUrl } = stack;
    const connection = await connectionById(stack.database.store, connectionId);
    const { token } = await signIn(stack.database.store, baseUrl, connection?.applicationId);
    const place = { baseUrl, token, connectionId, table: 'res.group' };
    expect(await mapAssets(place)).toBeGreaterThan(0);
  },
  START_MS,
);

const MACHINES = `
  create table machines (
    id int primary key, name varchar(40), description varchar(200), serial_no varchar(20), purchased date);
  insert into machines
    select seq, concat('Press ', seq), if(seq % 2, 'Hydraulic', null), concat('P-', seq), '2020-05-01' from seq_1_to_1200;`;

test(
  'a MariaDB that no platform describes is connected, and its table becomes records, by API alone',
  async () => {
    const server = await startMariaDb();
    stops.push(() => server.stop());
    await executeIn(server.url, MACHINES);
    const stack = await startStack();
    stops.push(() => stack.stop());
    await stack.startWorker();
    expect(await mapAssets(await connectDatabase(stack, server.url, 'machines'))).toBeGreaterThan(0);
  },
  START_MS,
);
