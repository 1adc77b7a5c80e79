import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { entities } from '@unified/contract';
import { addSandboxPlatform } from '@unified/sandbox';
import { loadKey, migrate, openStore } from '@unified/store';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { company } from '../packages/sandbox/test/company-database.ts';
import { startPrepared } from '../packages/store/test/prepared-server.ts';
import { connect as runConnect } from './connect/connect.ts';
import { runHere } from './test/run-here.ts';

// Starts databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

addSandboxPlatform();

const KEY = 'ab'.repeat(32);
const server = await startPrepared(company);
const system = await server.createDatabase('sandbox_company');
const settings = {
  DATABASE_URL: server.url,
  UNIFIED_KEY: KEY,
  DATA_DIR: server.dataDir,
  SQLITE_FOLDER: server.dataDir,
};
const file = join(server.dataDir, 'mapping.yaml');

beforeAll(async () => {
  const key = await loadKey(KEY, server.dataDir);
  const store = await openStore({ databaseUrl: server.url, publicUrl: 'http://localhost:4000', entities, key });
  await migrate(store);
  await store.close();
  const { code, stderr } = await connect('sandbox', '--name', 'Mapped', '--url', system);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('✗')]);
});
afterAll(() => server.remove());

const connect = (...args: string[]) => runHere(runConnect, args, settings);
async function mapping(name: string, ...rest: string[]): Promise<string> {
  const { code, stdout, stderr } = await connect('mapping', name, 'Mapped', ...rest);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

it('is edited in a file, tested, previewed, saved, activated, and taken back', async () => {
  const shown = await mapping('show', 'Vendor');
  expect(shown).toContain('name: name1');
  writeFileSync(
    file,
    shown.replace(
      'name: name1',
      'name: { read: { concat: { parts: [{ const: Firm }, name1], separator: " " } }, write: name1 }',
    ),
  );
  expect(await mapping('test', 'Vendor', '--file', file, '--rows', '2')).toMatch(/record {2}\{.*"name":"Firm /);
  expect(await mapping('preview', 'Vendor', '--file', file)).toContain('records would change');
  expect(await mapping('edit', 'Vendor', '--file', file, '--note', 'With a prefix')).toContain(
    'Saved revision 1 of Vendor.',
  );
  expect(await mapping('activate', 'Vendor', '1')).toContain('Revision 1 of Vendor is active.');
  const revisions = await mapping('revisions', 'Vendor');
  expect(revisions).toMatch(/^1 .* name changed: With a prefix {2}active/m);
  expect(revisions).toMatch(/^0 .* the mapping of the platform$/m);
  expect(await mapping('activate', 'Vendor', '0')).toContain('Revision 0 of Vendor is active.');
});

it('that cannot be used is refused with all problems, and nothing is saved', async () => {
  writeFileSync(file, 'fields:\n  nam: name1\n  phone: { txt: tel }\n');
  const { code, stderr } = await connect('mapping', 'edit', 'Mapped', 'Vendor', '--file', file);
  expect(code).toBe(1);
  expect(stderr).toMatch(/fields\/phone: .*did you mean "text"\?[\s\S]*fields\/nam: .*did you mean "name"\?/);
  expect(await mapping('revisions', 'Vendor')).not.toContain('\n2 ');
  const misspelled = await connect('mapping', 'shw', 'Mapped', 'Vendr');
  expect([misspelled.code, misspelled.stderr]).toEqual([2, expect.stringMatching(/mean show\?[\s\S]*mean Vendor\?/)]);
});

it('maps a table of an own database by the commands that connecting it prints', async () => {
  const path = join(server.dataDir, 'shop.db');
  const database = new DatabaseSync(path);
  database.exec(
    `create table suppliers (id integer primary key, name text); insert into suppliers values (1, 'Smith')`,
  );
  database.close();
  const add = (url: string) => connect('database', '--name', 'Own Shop', '--url', url);
  expect(await add(path)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('or sqlite:///folder/database.sqlite.'),
  });
  const missing = await add(`sqlite://${server.dataDir}/none.db`);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no such database')]);
  const { stdout } = await add(`sqlite://${path}`);
  expect(stdout).toContain('as "Own Shop" of the application "Default"');
  expect(stdout).toContain('In the console, choose the application "Default"');
  expect(stdout).not.toContain('has no streams');
  expect(stdout).toContain('npm run admin -- token add "Default"');
  expect(stdout).not.toMatch(/copies its records now|v4\/vendors/);
  const lines = stdout.split('\n').flatMap((line) => /^ +npm run .*connect -- (.*)$/.exec(line)?.[1] ?? []);
  const [tables = '', draft = '', edit = ''] = lines;
  const run = async (line: string) => {
    const words = line
      .replace('<table>', 'suppliers')
      .replace(/ > .*$/, '')
      .replace('vendor.yaml', file);
    const ended = await connect(...(words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')));
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('✗')]);
    return ended.stdout;
  };
  expect(await run(tables)).toContain('suppliers');
  writeFileSync(file, await run(draft));
  expect(await run(edit)).toContain('Revision 1 of Vendor is active.');
});

it('that cannot be used adds no stream, and one without fields is refused with a remedy', async () => {
  const client = new pg.Client({ connectionString: system, options: '-c search_path=erp' });
  await client.connect();
  await client.query('create table blank_zone (id int primary key, xyz text)');
  await client.end();
  const edit = () => connect('mapping', 'edit', 'Mapped', 'Taxonomy', '--file', file, '--add-stream', '--activate');
  const draft = await mapping('draft', 'Taxonomy', 'blank_zone');
  expect(draft).toContain('fields: {} # No column matches a field');
  for (const [content, problem] of [
    [draft, /[Mm]ap at least one field/],
    [draft.replace('fields: {}', 'fields:'), /maps no field[\s\S]*Map at least one field/],
    ['stream: blank_zone\nfields: { name: nam }\n', /"nam"/],
    ['stream: blank_zone\nfields: { nam: xyz }\n', /did you mean "name"/],
  ] as const) {
    writeFileSync(file, content);
    const { code, stderr } = await edit();
    expect([code, stderr]).toEqual([1, expect.stringMatching(problem)]);
    expect(await mapping('draft', 'Taxonomy', 'blank_zone')).toContain('save with --add-stream');
  }
});

it('of a table that no stream copies is drafted, and saved together with its stream', async () => {
  const client = new pg.Client({ connectionString: system, options: '-c search_path=erp' });
  await client.connect();
  await client.query(`create table price_zone (id int primary key, name text, description text)`);
  await client.end();
  const draft = await mapping('draft', 'Taxonomy', 'price_zone');
  expect(draft).toMatch(
    /save with --add-stream\. Its key is id\.\nstream: price_zone\nfields:\n {2}name: name # 0\.9: /,
  );
  writeFileSync(file, draft);
  const saved = await mapping('edit', 'Taxonomy', '--file', file, '--add-stream', '--activate');
  expect(saved).toContain('Saved revision 1 of Taxonomy. Revision 1 of Taxonomy is active.');
  expect(await mapping('draft', 'Taxonomy', 'price_zone')).not.toContain('--add-stream');
});
