import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { gadgetTables } from '../../test/database.ts';
import { entities, gadget } from '../../test/gadget.ts';
import { startPrepared } from '../../test/prepared-server.ts';
import {
  createApplication,
  createConnection,
  loadKey,
  migrate,
  moveInstallation,
  openStore,
  saveRecords,
  startEmbedded,
} from '../index.ts';
import { withConnection } from '../sql/own-connection.ts';
import { installationTables } from './installation-tables.ts';

const PUBLIC_URL = 'https://api.test';
const dataDir = await mkdtemp(join(tmpdir(), 'unified-move-'));
const key = await loadKey(undefined, dataDir);
const cluster = await startPrepared(gadgetTables);
afterAll(async () => {
  await rm(dataDir, { recursive: true });
  await cluster.remove();
});

/** Stores a record in the embedded database, which is stopped afterwards. */
async function fillEmbedded(): Promise<void> {
  const embedded = await startEmbedded({ dataDir });
  const store = await openStore({ databaseUrl: embedded.url, publicUrl: PUBLIC_URL, entities, key });
  await migrate(store);
  const { id: applicationId } = await createApplication(store, 'Moved');
  const { id: connectionId } = await createConnection(store, {
    applicationId,
    platform: 'test',
    name: 'Moved',
    settings: {},
  });
  const record = { _source: 's', _idValue: '1', values: {}, references: {} };
  await saveRecords(store.scope({ applicationId, connectionId }), gadget, [record]);
  await store.close();
  await embedded.stop();
}

test('tables of a cluster that receives an installation stay readable for their owner, who moves their shards', async () => {
  await fillEmbedded();
  const { isCopied, tables } = await moveInstallation({
    ...{ dataDir, to: cluster.url, entities, publicUrl: PUBLIC_URL, loadKey: async () => key },
  });
  expect(isCopied).toBe(true);
  expect(tables).toContainEqual(expect.objectContaining({ table: 'data.gadgets', rows: 1 }));
  const stored = await withConnection(cluster.url, installationTables);
  expect(stored.filter(({ isForced }) => isForced)).toEqual([]);
});
