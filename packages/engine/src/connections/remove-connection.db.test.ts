import { partOf } from '@unified/connectors';
import { entities } from '@unified/contract';
import { connectionById, page, type ScopeOf } from '@unified/store';
import { makeWorkerUtils } from 'graphile-worker';
import { afterAll, expect, test } from 'vitest';
import { faultySystems, stream } from '../../test/faulty-platform.ts';
import { origin, startHarness } from '../../test/harness.ts';
import { removeConnection } from '../index.ts';
import type { Systems } from '../model/systems.ts';

const harness = await startHarness();
const { store, engine } = harness;
const parts = { store, engine, origin };
/** Names of the streams whose high-water marks were requested. */
const begun: string[] = [];

/** The faulty systems, with a second stream. */
const systems: Systems = {
  openDriver(platform, settings) {
    const driver = faultySystems.openDriver(platform, settings);
    return {
      ...driver,
      changes: {
        ...partOf(driver, 'changes'),
        mark(stream) {
          begun.push(stream.name);
          return partOf(driver, 'changes').mark(stream);
        },
      },
    };
  },
  platformOf: (id) => ({ ...faultySystems.platformOf(id), streams: [stream, { ...stream, name: 'more rows' }] }),
};
await harness.worker({ syncs: 1, systems });
const admin = await makeWorkerUtils({ connectionString: harness.databaseUrl, schema: 'jobs' });
afterAll(() => admin.release());

/** Tables with rows of a connection, and its jobs. */
async function leftOf({ connectionId }: Pick<ScopeOf, 'connectionId'>): Promise<string[]> {
  return admin.withPgClient(async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.columns
         join information_schema.tables using (table_schema, table_name)
        where column_name = 'connection_id' and table_schema in ('unified', 'data') and table_type = 'BASE TABLE'`,
    );
    const left: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await client.query(`select from ${name} where connection_id = $1 limit 1`, [connectionId]);
      if (rowCount) left.push(name);
    }
    const jobs = await client.query('select from jobs.jobs where key like $1', [`%${connectionId}%`]);
    return jobs.rowCount ? [...left, 'jobs'] : left;
  });
}

test('a connection is removed while a worker reads it: the worker stops at the page, and no data remains', async () => {
  const [site, other] = [await harness.site(), await harness.site()];
  for (let n = 0; n < 500; n += 1) site.system.put({ kind: 'vendor', name: `V${n}` });
  other.system.put({ kind: 'vendor', name: 'Stays' });
  await other.sync('full');
  const held = site.system.holdNext('page');
  await engine.requestSync(site.connectionId, 'full');
  await held.made;
  const removing = removeConnection(parts, site.scope);
  await expect.poll(async () => (await connectionById(store, site.connectionId))?.status).toBe('inactive');
  held.letGo();
  expect(await removing).toBe(true);
  expect(await connectionById(store, site.connectionId)).toBeNull();
  expect(await leftOf(site)).toEqual([]);
  expect(await removeConnection(parts, site.scope)).toBe(false);
  const stays = await page(other.scope, entities.Vendor, { conditions: [], sort: [], limit: 1 });
  expect(stays.count).toBe(1);
  await other.sync('full');
  expect(await leftOf(site)).toEqual([]);
});

test('a connection is removed while its system fails: the run ends at the stream that failed', async () => {
  const site = await harness.site();
  const held = site.system.holdNext('page');
  // Reading the high-water mark of the pass succeeds; reading its first page never does.
  site.system.faults.read.push(null, ...Array.from({ length: 100 }, () => 'garbage' as const));
  begun.length = 0;
  await engine.requestSync(site.connectionId, 'full');
  await held.made;
  const removing = removeConnection(parts, site.scope);
  await expect.poll(async () => (await connectionById(store, site.connectionId))?.status).toBe('inactive');
  held.letGo();
  expect(await removing).toBe(true);
  expect(begun).toEqual([stream.name]);
});

test('waiting writes are not carried out after the removal has started, and the current one ends first', async () => {
  const site = await harness.site();
  const held = site.system.holdNext('look');
  for (let n = 0; n < 5; n += 1) await site.createVendor(`V${n}`);
  await held.made;
  const removing = removeConnection(parts, site.scope);
  await expect.poll(async () => (await connectionById(store, site.connectionId))?.status).toBe('inactive');
  held.letGo();
  expect(await removing).toBe(true);
  expect(site.system.log).toEqual(['create V0']);
  expect(await leftOf(site)).toEqual([]);
});

test('a request that waits for its write fails when the connection is removed', async () => {
  const site = await harness.site();
  const held = site.system.holdNext('look');
  await site.createVendor('Current');
  await held.made;
  const queued = await site.createVendor('Behind it');
  const refused = expect(site.settled(queued)).rejects.toMatchObject({
    code: 'SERVICE_CONNECTION_INACTIVE',
    message: expect.stringContaining('Whether it was sent to the system is not known'),
  });
  const removing = removeConnection(parts, site.scope);
  await expect.poll(async () => (await connectionById(store, site.connectionId))?.status).toBe('inactive');
  held.letGo();
  expect(await removing).toBe(true);
  await refused;
});

test('if a worker does not stop, the connection stays deactivated and the removal can be repeated', async () => {
  const site = await harness.site();
  site.system.put({ kind: 'vendor', name: 'V' });
  const held = site.system.holdNext('page');
  await engine.requestSync(site.connectionId, 'full');
  await held.made;
  const fastRetries = removeConnection(parts, site.scope, { waitMs: 50 });
  await expect(fastRetries).rejects.toMatchObject({ name: 'ConnectionBusy' });
  expect(await connectionById(store, site.connectionId)).toMatchObject({ status: 'inactive' });
  held.letGo();
  expect(await removeConnection(parts, site.scope)).toBe(true);
});

test('a connection of another application is not removed', async () => {
  const { scope, connectionId } = await harness.site();
  const stranger = { connectionId, applicationId: connectionId };
  expect(await removeConnection(parts, stranger)).toBe(false);
  expect(await connectionById(store, scope.connectionId)).toMatchObject({ status: 'active' });
});
