import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPlatform } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookFile, createBookFile } from '../packages/connector-kit/test/book-file.ts';
import { copyExports } from '../packages/connector-kit/test/copied-exports.ts';
import { type SupplierApi, startSupplierApi } from '../packages/connector-kit/test/supplier-api.ts';
import { connector as runConnector } from './connector/connector.ts';
import { runHere } from './test/run-here.ts';

const TEMPLATE = fileURLToPath(new URL('../packages/connector-kit/templates/sql', import.meta.url));

let file: BookFile;
let folder: string;

beforeAll(() => {
  file = createBookFile();
  folder = mkdtempSync(join(tmpdir(), 'connector-'));
});
afterAll(() => {
  file.remove();
  rmSync(folder, { recursive: true });
});

const connector = (...args: string[]) => runHere(runConnector, args, { SQLITE_FOLDER: file.folder });

/** The name of a file with settings. */
function settings(content: unknown): string {
  const name = join(folder, 'settings.json');
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

describe('connector -- check', () => {
  it('prints one line for each check, and a summary', async () => {
    const { code, stdout, stderr } = await connector('check', TEMPLATE, '--settings', settings(file.settings));
    expect(stderr).toBe('');
    expect(stdout).toContain('✓ readable-streams       2 streams, 53 rows\n');
    expect(stdout).toContain('- refused-credentials    The settings contain no secret.\n');
    expect(stdout).toMatch(/\nsql: 9 checks passed, 0 failed, 3 do not apply\n$/);
    expect(code).toBe(0);
  });

  it('prints the report as JSON', async () => {
    const { code, stdout } = await connector('check', TEMPLATE, '--settings', settings(file.settings), '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      platform: 'sql',
      results: [{ check: { name: 'sign-in' } }, ...Array(11).fill({})],
    });
    expect(code).toBe(0);
  });

  it('ends with exit code 1 if a check failed, and names it', async () => {
    const none = settings({ url: `sqlite://${file.folder}/none.sqlite` });
    const { code, stdout, stderr } = await connector('check', TEMPLATE, '--settings', none);
    expect(stdout).toContain('✗ sign-in');
    expect(stdout).toContain('sql: 0 checks passed, 1 failed, 11 do not apply');
    expect(stderr).toContain('Not every check has passed: sign-in.');
    expect(code).toBe(1);
  });

  it.each([
    { name: 'without settings', args: ['check', 'tryton'], code: 2, message: '--settings is missing' },
    { name: 'without a platform', args: ['check', '--settings', 'x'], code: 2, message: 'Name a platform' },
    {
      name: 'with an unknown one',
      args: ['check', 'trytn', '--settings', 'x'],
      code: 2,
      message: 'Did you mean tryton?',
    },
    {
      name: 'with rows that are not a number',
      args: ['check', 'tryton', '--rows', '0'],
      code: 2,
      message: '--rows must be',
    },
    { name: 'without the file', args: ['check', 'tryton', '--settings', '/none'], code: 1, message: 'ENOENT' },
    {
      name: 'with faults that are not a number',
      args: ['check', 'tryton', '--faults', 'x'],
      code: 2,
      message: '--faults must be',
    },
    { name: 'with an unknown command', args: ['chek'], code: 2, message: 'Did you mean check?' },
  ])('refuses a call $name', async ({ args, code, message }) => {
    const ended = await connector(...args);
    expect(ended.stderr).toContain(message);
    expect(ended.code).toBe(code);
  });

  it('adds passes through faults, which do not apply to a file', async () => {
    const { stdout } = await connector('check', TEMPLATE, '--settings', settings(file.settings), '--faults', '2');
    expect(stdout).toContain('- survived-faults        The settings contain no address of a server.\n');
  });

  it('names settings that are missing, and does not quote a file that is not JSON', async () => {
    const missing = await connector('check', 'tryton', '--settings', settings({ url: 'https://erp.example' }));
    expect(missing.stderr).toMatch(/Database.*missing/);
    const wrong = await connector('check', 'tryton', '--settings', settings('{ "password": "hunter2"'));
    expect(wrong.stderr).toContain('are not an object in JSON');
    expect(wrong.stderr).not.toContain('hunter2');
  });

  it('describes every check in its help', async () => {
    const { code, stdout } = await connector('check', '--help');
    expect(stdout).toContain('unique-keys            Every row has a key');
    expect(code).toBe(0);
  });
});

describe('connector -- score', () => {
  it('prints the score with its parts', async () => {
    const { code, stdout } = await connector('score', TEMPLATE, '--settings', settings(file.settings));
    expect(stdout).toContain('✓ readable-streams        20\n');
    expect(stdout).toMatch(/\nsql: 100 of 100, 2 entities read\n$/);
    expect(code).toBe(0);
  });

  it('counts checks that fail, and prints JSON', async () => {
    const none = settings({ url: `sqlite://${file.folder}/none.sqlite` });
    const { code, stdout, stderr } = await connector('score', TEMPLATE, '--settings', none, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ platform: 'sql', score: 0, entities: [] });
    expect(stderr).toMatch(/Not every check has passed:\n✗ sign-in[^\n]*\n {4}\S.*`npm run connector`/);
    expect(code).toBe(1);
  });
});

describe('connector -- record', () => {
  const REST = fileURLToPath(new URL('../packages/connector-kit/templates/rest', import.meta.url));
  let recording: string;
  let api: SupplierApi;

  beforeAll(async () => {
    recording = join(folder, 'suppliers.jsonl');
    api = await startSupplierApi();
  });

  it('writes a file on which the checks run without the system', async () => {
    const { code, stdout, stderr } = await connector(
      ...['record', REST, '--settings', settings(api.settings), '--to', recording],
    );
    await api.close();
    expect(stderr).toBe('');
    expect(stdout).toMatch(/✓ \S*suppliers\.jsonl: \d+ exchanges, 1 secrets replaced\n/);
    expect(code).toBe(0);
    expect(readFileSync(recording, 'utf8')).not.toContain(api.settings.token);
    const checked = await connector('check', REST, '--recording', recording, '--faults', '1');
    expect(checked.stdout).toContain('\nrest: 11 checks passed, 0 failed, 2 do not apply\n');
    expect(checked.stderr).toBe('');
    const scored = await connector('score', REST, '--recording', recording);
    expect(scored.stdout).toMatch(/\nrest: 100 of 100, 1 entities read\n$/);
  });

  it('names requests that the file does not contain', async () => {
    const other = join(folder, 'rest');
    await connector('new', other, '--protocol', 'rest');
    const declared = readFileSync(join(other, 'platform.yaml'), 'utf8').replaceAll('/suppliers', '/vendors');
    writeFileSync(join(other, 'platform.yaml'), declared);
    const { code, stderr } = await connector('check', other, '--recording', recording);
    expect(stderr).toMatch(/The recording does not contain these requests\..*\n {2}GET \/api\/vendors/);
    expect(code).toBe(1);
  });

  it.each([
    {
      ...{ name: 'a file that is not a recording', message: 'is not a recording of version 1' },
      args: () => ['check', REST, '--recording', settings('{}')],
    },
    {
      ...{ name: 'a recording of another platform', message: 'is a recording of the platform "rest", not of "sql"' },
      args: () => ['check', TEMPLATE, '--recording', recording],
    },
    {
      ...{ name: 'settings and a recording', message: 'exclude each other' },
      args: () => ['check', REST, '--recording', recording, '--settings', 'x'],
    },
    {
      ...{ name: 'a system that is a file', message: 'The settings contain no HTTP address' },
      args: () => ['record', TEMPLATE, '--settings', settings(file.settings), '--to', join(folder, 'x.jsonl')],
    },
    {
      ...{ name: 'no file to write', message: '--to is missing' },
      args: () => ['record', REST, '--settings', 'x'],
    },
  ])('refuses $name', async ({ args, message }) => {
    const { code, stderr } = await connector(...args());
    expect(stderr).toContain(message);
    expect(code).not.toBe(0);
  });
});

describe('connector -- new', () => {
  it.each(['sql', 'odata', 'tryton', 'rest'])('creates a platform for %s that can be loaded', async (protocol) => {
    const path = join(folder, `my-${protocol}`);
    const { code, stdout, stderr } = await connector('new', path, '--protocol', protocol, '--name', 'Paula: "ERP"');
    expect(stderr).toBe('');
    expect(stdout).toContain('platform.yaml');
    expect(code).toBe(0);
    expect(loadPlatform(path)).toMatchObject({ id: `my-${protocol}`, name: 'Paula: "ERP"', driver: protocol });
    const again = await connector('new', path, '--protocol', protocol);
    expect(again.stderr).toContain('There is already a platform');
  });

  it.each([
    { name: 'without a name', args: ['new', '--protocol', 'sql'], message: 'Name the platform' },
    { name: 'with capitals', args: ['new', './MyErp', '--protocol', 'sql'], message: '"MyErp" cannot be an id' },
    { name: 'without a protocol', args: ['new', './my-erp'], message: '--protocol must be one of sql, odata' },
    {
      name: 'with an unknown protocol',
      args: ['new', './my-erp', '--protocol', 'odat'],
      message: 'Did you mean odata?',
    },
  ])('refuses a call $name', async ({ args, message }) => {
    const ended = await connector(...args);
    expect(ended.stderr).toContain(message);
    expect(ended.code).toBe(2);
  });
});

describe('connector -- draft', () => {
  let path: string;
  const draft = (...args: string[]) => connector('draft', path, ...args, '--settings', settings(file.settings));

  beforeAll(async () => {
    path = join(folder, 'my-books');
    await connector('new', path, '--protocol', 'sql');
    file.books.exec('CREATE TABLE unlike (flavor text)');
  });

  it('lists the tables of the system', async () => {
    const { code, stdout } = await draft();
    expect(stdout).toMatch(/^ {2}main.article\n {2}main.supplier\n/);
    expect(code).toBe(0);
  });

  it('writes streams and mappings, which the checks accept', async () => {
    const { code, stdout, stderr } = await draft('supplier=Vendor', 'article=Item');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/✓ supplier as Vendor: 3 of \d+ fields drafted, columns without a field: 1/);
    expect(code).toBe(0);
    expect(readFileSync(join(path, 'streams/article.yaml'), 'utf8')).toBe('article:\n  key: number\n');
    const vendor = readFileSync(join(path, 'mappings/vendor.yaml'), 'utf8');
    expect(vendor).toMatch(/entity: Vendor\nstream: supplier\nfields:\n {2}code: number\n {2}name: name\n/);
    expect(vendor).toContain('# Columns without a field: version (INT)');
    const checked = await connector('check', path, '--settings', settings(file.settings));
    expect(checked.stdout).toContain('my-books: 9 checks passed, 0 failed');
  });

  describe('of a REST API', () => {
    let api: SupplierApi;
    let rest: string;
    const ofApi = (...args: string[]) => connector('draft', rest, ...args, '--settings', settings(api.settings));
    beforeAll(async () => {
      api = await startSupplierApi();
      rest = join(folder, 'my-api');
      await connector('new', rest, '--protocol', 'rest');
      rmSync(join(rest, 'mappings'), { recursive: true });
    });
    afterAll(() => api.close());

    it('names the streams of the platform, because the system does not list its tables', async () => {
      const { code, stdout } = await ofApi();
      expect(stdout).toMatch(/cannot list its tables\. The platform has these streams:\n {2}suppliers\n/);
      expect(code).toBe(0);
    });

    it('writes the mapping of a stream that the platform has', async () => {
      const { code, stdout, stderr } = await ofApi('suppliers=Vendor');
      expect([stderr, code]).toEqual(['', 0]);
      expect(stdout).toMatch(/✓ suppliers as Vendor: 2 of \d+ fields drafted, columns without a field: 1/);
      const vendor = readFileSync(join(rest, 'mappings/vendor.yaml'), 'utf8');
      expect(vendor).toMatch(/entity: Vendor\nstream: suppliers\nfields:\n {2}code: number\n {2}name: name\n/);
      expect(vendor).toContain('# Columns without a field: contact (object)');
      expect(existsSync(join(rest, 'streams'))).toBe(false);
    });

    it('writes a stream and a mapping from the list at an address', async () => {
      const platform = join(rest, 'platform.yaml');
      writeFileSync(platform, readFileSync(platform, 'utf8').split('\nstreams:', 1).join(''));
      rmSync(join(rest, 'mappings'), { recursive: true });
      expect((await ofApi()).stdout).toMatch(/and the platform has no streams\.\nName the address of a list/);
      const { code, stderr } = await ofApi('/suppliers?offset=0&limit=100=Vendor');
      expect([stderr, code]).toEqual(['', 0]);
      expect(readFileSync(join(rest, 'streams/suppliers.yaml'), 'utf8')).toMatch(
        /^suppliers:\n {2}key: id # a guess.*\n {2}options: \{ list: \{ address: .*\/suppliers\?offset=0&limit=100.*, rows: suppliers \} \} # add "paging"/,
      );
      const checked = await connector('check', rest, '--settings', settings(api.settings));
      expect(checked.stdout).toMatch(/✓ readable-streams {7}1 streams, 25 rows/);
    });

    it('states why an address cannot be drafted', async () => {
      expect((await ofApi('/none=Vendor')).stderr).toContain('/none returned no list of objects with rows');
      expect((await ofApi('/suppliers/99=Vendor')).stderr).toContain('/suppliers/99 returned HTTP status 404');
      expect((await ofApi('none=Vendor')).stderr).toMatch(
        /There is no stream "none"\.\n {2}Name a stream .*the address of a list/,
      );
    });
  });

  it('does not replace files', async () => {
    await draft('supplier=Vendor');
    const { code, stderr } = await draft('supplier=Vendor');
    expect(stderr).toMatch(/These files exist, or would be written twice: .*vendor.yaml/);
    expect(code).toBe(1);
  });

  it('drafts the other tables if one has nothing in common with its entity', async () => {
    const other = join(folder, 'other-books');
    await connector('new', other, '--protocol', 'sql');
    const tables = ['supplier=Vendor', 'unlike=Item'];
    const { code, stdout } = await connector('draft', other, ...tables, '--settings', settings(file.settings));
    expect(stdout).toMatch(
      /✓ supplier as Vendor: .*\n✗ No column of unlike has the name of a field of Item\. Write its stream/,
    );
    expect(code).toBe(0);
  });

  it.each([
    { name: 'an unknown table', args: ['main.suplier=Customer'], code: 1, message: 'Did you mean main.supplier?' },
    { name: 'an unknown entity', args: ['supplier=Vendr'], code: 2, message: 'Did you mean Vendor?' },
    { name: 'no entity', args: ['supplier'], code: 2, message: 'must be a table and an entity' },
    { name: 'nothing in common', args: ['unlike=Vendor'], code: 1, message: 'No column of unlike' },
  ])('refuses $name', async ({ args, code, message }) => {
    const ended = await draft(...args);
    expect(ended.stderr).toContain(message);
    expect(ended.code).toBe(code);
  });
});

describe('a platform of exported files', () => {
  const example = fileURLToPath(new URL('../packages/connectors/examples/old-erp-files', import.meta.url));
  let exports: string;

  beforeAll(() => {
    exports = copyExports(example);
  });
  afterAll(() => rmSync(exports, { recursive: true }));

  const inFolder = (...args: string[]) => runHere(runConnector, args, { FILES_FOLDER: exports });

  it('is created, drafted from the files, and checked without changes', async () => {
    const platform = join(folder, 'files-erp');
    expect(await inFolder('new', platform, '--protocol', 'files')).toMatchObject({ code: 0 });
    const declared = readFileSync(join(platform, 'platform.yaml'), 'utf8').replace('utf-8', 'windows-1252');
    writeFileSync(join(platform, 'platform.yaml'), declared);
    const file = settings({ folder: 'exports' });
    const { stdout } = await inFolder('draft', platform, '--settings', file);
    expect(stdout).toContain('  items.xlsx\n  orders-*.csv\n  suppliers.csv\n');
    const pairs = ['suppliers.csv=Vendor', 'orders-*.csv=PurchaseOrder'];
    expect(await inFolder('draft', platform, ...pairs, '--settings', file)).toMatchObject({ stderr: '', code: 0 });
    const order = readFileSync(join(platform, 'mappings', 'purchase-order.yaml'), 'utf8');
    expect(order).toContain('orderDate: { date: { from: Date, format: DD.MM.YYYY } }');
    expect(order).toContain("total: { number: { from: Total, decimal: ',' } }");
    expect(order).toContain('vendor: { ref: { entity: Vendor, by: _idValue, value: Supplier } }');
    const checked = await inFolder('check', platform, '--settings', file);
    expect(checked.stdout).toMatch(/\nfiles-erp: \d+ checks passed, 0 failed/);
  });

  it('passes all checks that apply, with the score 100', async () => {
    const { stdout, code } = await inFolder('score', example, '--settings', settings({ folder: 'exports' }));
    expect(stdout).toContain('\nold-erp-files: 100 of 100, 4 entities read\n');
    expect(code).toBe(0);
  });
});
