import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookFile, createBookFile } from '../packages/connector-kit/test/book-file.ts';
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
      name: 'with rows that are no number',
      args: ['check', 'tryton', '--rows', '0'],
      code: 2,
      message: '--rows must be',
    },
    { name: 'without the file', args: ['check', 'tryton', '--settings', '/none'], code: 1, message: 'ENOENT' },
    {
      name: 'with faults that are no number',
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

  it('names settings that are missing, and quotes nothing of a file that is not JSON', async () => {
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
