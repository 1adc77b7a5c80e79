import { signIn } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapAssets } from './mapping-journey.ts';
import { type Shops, startShops } from './shop.ts';
import { START_MS } from './stack.ts';

const MACHINES = `
  CREATE TABLE machines (
    id integer PRIMARY KEY, name text NOT NULL, description text, serial_no text, purchased date);
  INSERT INTO machines
    SELECT n, 'Press ' || n, CASE n % 2 WHEN 1 THEN 'Hydraulic' END, 'P-' || n, '2020-05-01' FROM generate_series(1, 1200) n;`;

let shops: Shops;

beforeAll(async () => {
  shops = await startShops();
}, START_MS);
afterAll(() => shops?.stop());

test(
  'a table of a PostgreSQL that nothing reads becomes records, by API alone',
  async () => {
    const { connectionId, applicationId } = await shops.open('machines', MACHINES);
    const { baseUrl, database } = shops.stack;
    const { token } = await signIn(database.store, baseUrl, applicationId);
    const lists = await mapAssets({ baseUrl, token, connectionId, table: 'machines' });
    expect(lists).toBeGreaterThan(0);
  },
  START_MS,
);
