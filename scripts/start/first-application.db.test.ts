import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientBySecret, createApplication, listApplications } from '@unified/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { createFirstApplication } from './first-application.ts';
import { openDatabase } from './open-database.ts';

// Starts databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

async function installation() {
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-first-'));
  const { store, close } = await openDatabase(readConfiguration([], { DATA_DIR: dataDir }), (error) => {
    throw error;
  });
  onTestFinished(async () => {
    await close();
    await rm(dataDir, { recursive: true });
  });
  return { store, dataDir };
}

test('the first start creates an application, and stores its credentials in a private file, once', async () => {
  const { store, dataDir } = await installation();
  const path = (await createFirstApplication(store, dataDir)) ?? '';
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { clientId, clientSecret } = JSON.parse(await readFile(path, 'utf8'));
  expect(await clientBySecret(store, clientId, clientSecret)).toMatchObject({ applicationId: clientId });
  await rm(path);
  expect(await createFirstApplication(store, dataDir)).toBeUndefined();
  expect(await listApplications(store)).toEqual([expect.objectContaining({ id: clientId, name: 'Default' })]);
});

test('processes that start at the same time create one application', async () => {
  const { store, dataDir } = await installation();
  await Promise.all([1, 2, 3].map((n) => createFirstApplication(store, `${dataDir}/process-${n}`)));
  expect(await listApplications(store)).toHaveLength(1);
});

test('an installation that has an application does not get another one', async () => {
  const { store, dataDir } = await installation();
  await createApplication(store, 'Acme');
  expect(await createFirstApplication(store, dataDir)).toBeUndefined();
  expect(await listApplications(store)).toHaveLength(1);
});
