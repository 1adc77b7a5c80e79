import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entities, gadget } from '../../test/gadget.ts';
import { migrate, openStore, page, type Scope, saveRecords, startEmbedded } from '../index.ts';
import { withConnection } from '../sql/own-connection.ts';
import { recall, superuserUrl } from './remembered.ts';

/** Mounts a file system of this size; needs root. It cannot be unmounted while a process uses it. */
async function smallDisk(megabytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unified-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  onTestFinished(async () => {
    execFileSync('umount', [folder]);
    await rmdir(folder);
  });
  return folder;
}

test.each([
  [30, 'PostgreSQL does not fit'],
  [40, 'the database does not fit'],
])('on a disk of %i MB, where %s, the start fails with a remedy and leaves no process', async (megabytes) => {
  const dataDir = await smallDisk(megabytes);
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/^The disk of .* has too little space: .* Free some/);
});

/** Saves a record with this much text that cannot be compressed. */
async function save(scope: Scope, id: number): Promise<void> {
  const values = { name: randomBytes(4_000).toString('hex') };
  await saveRecords(scope, gadget, [{ _source: 's', _idValue: `${id}`, values, references: {} }]);
}

test('a full disk is reported, and the service recovers automatically when there is space again', async () => {
  const dataDir = await smallDisk(120);
  const logged: string[] = [];
  const server = await startEmbedded({ dataDir, log: (line) => logged.push(line) });
  const options = { databaseUrl: server.url, publicUrl: 'https://api.test', entities, connectTimeoutMs: 60_000 };
  const store = await openStore(options);
  await migrate(store);
  const remembered = (await recall(dataDir)) ?? expect.fail('there is no password');
  const of = { applicationId: randomUUID(), connectionId: randomUUID() };
  await withConnection(superuserUrl(remembered, 'unified'), async (client) => {
    await client.query(`insert into unified.applications (id, name) values ($1, 'Test')`, [of.applicationId]);
    await client.query(
      `insert into unified.connections (id, "applicationId", platform, name, settings, status)
       values ($1, $2, 'test', 'Test', '', 'active')`,
      [of.connectionId, of.applicationId],
    );
  });
  const scope = store.scope(of);
  await save(scope, 0);

  const { bavail, bsize } = await statfs(dataDir);
  const filler = join(dataDir, 'filler');
  await writeFile(filler, Buffer.alloc(bavail * bsize - 2 ** 20));
  const kept = [0];
  const failures: unknown[] = [];
  while (failures.length < 20) {
    const id = kept.length + failures.length;
    await save(scope, id).then(
      () => kept.push(id),
      (error: unknown) => failures.push(error),
    );
  }
  const message = 'The disk of the database is full. Free some space there, then retry.';
  for (const failure of failures) expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message });

  // Without space for its write-ahead log, PostgreSQL stops and cannot start.
  const outgrow = `select pg_switch_wal(); select pg_logical_emit_message(true, 'test', 'one more'); checkpoint`;
  await expect(withConnection(superuserUrl(remembered), (client) => client.query(outgrow))).rejects.toThrow();
  await expect.poll(() => logged.at(-1), { timeout: 120_000 }).toContain('has too little space');
  await expect(save(scope, 1_000)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

  await rm(filler);
  await expect.poll(() => save(scope, 2_000).then(() => 'saved', String), { timeout: 120_000 }).toBe('saved');
  const { count } = await page(scope, gadget, { conditions: [], sort: [], limit: 500 });
  expect(count).toBe(kept.length + 1);
  await store.close();
  await server.stop();
});
