import { DefinitionError, type Platform } from '@unified/connectors';
import { entities } from '@unified/contract';
import { page } from '@unified/store';
import { afterAll, expect, test } from 'vitest';
import { faultySystems, platform as whole } from '../../test/faulty-platform.ts';
import { log, type Site, startHarness } from '../../test/harness.ts';
import { brokenPlatforms, connectionOverviews, createEngine } from '../index.ts';
import type { Systems } from './systems.ts';

const problem = { file: 'faulty/mappings/vendor.yaml', field: 'fields.name', message: 'unknown keyword "txt"' };
const { Vendor: _, ...others } = whole.mappings;
const withoutVendor: Platform = {
  ...whole,
  mappings: others,
  broken: [{ entity: 'Vendor', stream: 'rows', problems: [problem] }],
};

const harness = await startHarness();
const { store, databaseUrl } = harness;

/** The systems of a process that started with these files; undefined means that the platform itself is broken. */
function systemsWith(platform: Platform | undefined): Systems {
  return {
    ...faultySystems,
    platformOf() {
      if (platform) return platform;
      throw new DefinitionError([{ file: 'faulty/platform.yaml', field: '', message: 'the file is missing' }]);
    },
  };
}

/** A service that started with these files. */
async function started(platform: Platform | undefined) {
  const systems = systemsWith(platform);
  const worker = await harness.worker({ systems, syncs: 1 });
  const engine = createEngine({ store, databaseUrl, log, systems });
  afterAll(() => engine.close());
  return { engine, systems, stop: () => worker.stop() };
}

async function vendors({ scope }: Site): Promise<string[]> {
  const { docs } = await page(scope, entities.Vendor, { conditions: [], sort: [], limit: 9 });
  return JSON.parse(`[${docs}]`).map(({ name }: { name: string }) => name);
}

const write = (entity: string, name: string) => ({
  ...{ operation: `create${entity}`, op: 'create' as const, entity, input: { name } },
});

test('a broken mapping stops only its own entity, is reported with file and field, and loses no changes', async () => {
  const site = await harness.site();
  const kept = site.system.put({ kind: 'vendor', name: 'Kept' });
  const gone = site.system.put({ kind: 'vendor', name: 'Gone' });
  const before = await started(whole);
  await site.sync('full');
  await before.stop();

  const { engine, systems, stop } = await started(withoutVendor);
  site.system.put({ kind: 'currency', name: 'Euro', code: 'EUR' });
  site.system.put({ ...kept, name: 'Renamed' });
  site.system.rows.delete(gone.id);
  await site.sync('full');
  expect(await vendors(site)).toEqual(['Kept']);
  const [status] = await engine.syncStatus(site.scope);
  expect(status).toMatchObject({ stream: 'rows', error: null, lastSuccessAt: expect.any(String) });
  expect(status?.problems).toEqual([
    {
      ...{ entity: 'Vendor', field: 'name', path: null, reason: 'broken_mapping', count: null, example: null },
      message:
        'faulty/mappings/vendor.yaml: fields.name: unknown keyword "txt". Correct it; it is loaded again within seconds.',
    },
  ]);
  const refused = engine.submitWrite(site.scope, write('Vendor', 'New'));
  const details = [{ path: 'faulty/mappings/vendor.yaml: fields.name', message: 'unknown keyword "txt"' }];
  await expect(refused).rejects.toMatchObject({ code: 'SERVICE_PLATFORM_BROKEN', status: 503, details });
  const { writeId } = await engine.submitWrite(site.scope, write('Currency', 'Franc'));
  expect(await site.settled(writeId)).toMatchObject({ status: 'succeeded' });
  expect(await brokenPlatforms({ store, systems })).toEqual([
    expect.stringMatching(/vendor\.yaml: fields\.name: .*Vendor of/),
  ]);
  await stop();

  const after = await started(whole);
  await site.sync('incremental');
  expect(await vendors(site)).toEqual(['Renamed']);
  expect((await after.engine.syncStatus(site.scope))[0]).toMatchObject({ error: null, problems: [] });
  await after.stop();
});

test('a platform that cannot be used is reported with its file, keeps its records, and recovers', async () => {
  const site = await harness.site();
  site.system.put({ kind: 'vendor', name: 'Kept' });
  const before = await started(whole);
  await site.sync('full');
  await before.stop();

  const { engine, systems, stop } = await started(undefined);
  const broken = { code: 'SERVICE_PLATFORM_BROKEN', message: expect.stringContaining('faulty/platform.yaml') };
  await expect(engine.submitWrite(site.scope, write('Vendor', 'New'))).rejects.toMatchObject(broken);
  await expect(engine.capabilities(site.scope)).rejects.toMatchObject(broken);
  await expect(engine.requestSyncOf(site.scope, 'full')).rejects.toMatchObject(broken);
  await site.sync('full');
  expect(await engine.syncStatus(site.scope)).toMatchObject([
    {
      stream: 'rows',
      error: expect.stringContaining('faulty/platform.yaml: the file is missing'),
      lastSuccessAt: expect.any(String),
    },
  ]);
  const never = await harness.site();
  expect(await engine.syncStatus(never.scope)).toMatchObject([{ stream: 'faulty/platform.yaml' }]);
  const within = { applicationId: site.scope.applicationId };
  const overview = (await connectionOverviews({ store, systems }, within)).find(({ id }) => id === site.connectionId);
  expect(overview).toMatchObject({ streams: 1, streamsRead: 1, streamsFailing: 1 });
  expect(overview?.problems).toEqual([expect.stringContaining('faulty/platform.yaml')]);
  expect(await brokenPlatforms({ store, systems })).toEqual([
    expect.stringContaining('the file is missing. Correct it'),
  ]);
  expect(await vendors(site)).toEqual(['Kept']);
  await stop();

  const after = await started(whole);
  site.system.put({ kind: 'vendor', name: 'Later' });
  await site.sync('incremental');
  expect((await vendors(site)).sort()).toEqual(['Kept', 'Later']);
  await after.stop();
});
