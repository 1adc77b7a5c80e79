import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '@unified/contract';
import {
  createApplication,
  createConnection,
  find,
  type Scope,
  type Store,
  saveRecords,
  startEmbedded,
} from '@unified/store';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { type Database, openDatabase } from './open-database.ts';

// Starts databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const dataDir = await mkdtemp(join(tmpdir(), 'unified-open-'));
const postgres = await startEmbedded({ dataDir, settings: { fsync: 'off' } });
afterAll(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

const fail = (error: Error) => {
  throw error;
};

/** Opens the database as `npm start` does in this environment. */
function opened(env: Record<string, string>): Promise<Database> {
  return openDatabase(configurationOf(env), fail, fail);
}

/** Opens it as `connect` does. */
function openedByScript(env: Record<string, string>): Promise<Database> {
  return openDatabase(configurationOf(env), fail);
}

function configurationOf(env: Record<string, string>) {
  return readConfiguration([], { DATABASE_URL: postgres.url, DATA_DIR: dataDir, ...env });
}

test('connecting a system without PORT leaves the links of all records unchanged', async () => {
  const server = await opened({ PORT: '4567' });
  const vendor = await vendorWithLink(server.store);
  await server.close();
  for (const env of [{}, { PORT: '4600' }, { PUBLIC_URL: 'https://api.example.com' }]) {
    const connecting = await openedByScript(env);
    expect(connecting.store.publicUrl).toBe('http://localhost:4567');
    expect(await vendor.href(connecting.store)).toMatch(/^http:\/\/localhost:4567\/v4\/currencies\//);
    await connecting.close();
  }
});

test('the password of the database can be in PGPASSWORD instead of DATABASE_URL', async () => {
  const address = new URL(postgres.url);
  vi.stubEnv('PGPASSWORD', decodeURIComponent(address.password));
  onTestFinished(() => void vi.unstubAllEnvs());
  address.password = '';
  const database = await opened({ DATABASE_URL: address.href });
  await expect(createApplication(database.store, randomUUID())).resolves.toMatchObject({ id: expect.any(String) });
  await database.close();
});

test('a server that is started alone on another port changes the links to it', async () => {
  const first = await opened({ PORT: '4567' });
  const vendor = await vendorWithLink(first.store);
  const second = await opened({ PORT: '4568' });
  expect(second.store.publicUrl).toBe('http://localhost:4567');
  await second.close();
  await first.close();
  const alone = await opened({ PORT: '4568' });
  expect(await vendor.href(alone.store)).toMatch(/^http:\/\/localhost:4568\//);
  await alone.close();
});

/** A vendor that points to a currency, in a separate connection. */
async function vendorWithLink(store: Store) {
  const { id: applicationId } = await createApplication(store, randomUUID());
  const { id: connectionId } = await createConnection(store, {
    ...{ applicationId, platform: 'sandbox', name: 'Test', settings: {} },
  });
  const of = { applicationId, connectionId };
  const save = async (scope: Scope, entity: 'Currency' | 'Vendor', references: object) => {
    const record = { _source: entity, _idValue: '1', values: { name: entity }, references: { ...references } };
    return (await saveRecords(scope, entities[entity], [record])).ids[0] ?? '';
  };
  await save(store.scope(of), 'Currency', {});
  const id = await save(store.scope(of), 'Vendor', { currency: { entity: 'Currency', by: '_idValue', value: '1' } });
  return {
    async href(reader: Store): Promise<string> {
      return JSON.parse(String(await find(reader.scope(of), entities.Vendor, id))).currency.href;
    },
  };
}
