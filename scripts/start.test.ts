import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const START = fileURLToPath(new URL('start.mjs', import.meta.url));
/** A folder of this run: another user may have left one of the same name, with a key that only they may read. */
const dataDir = await mkdtemp(join(tmpdir(), 'unified-start-'));
afterAll(() => rm(dataDir, { recursive: true }));

/** What `npm start` says before it ends, and the code that it ends with. */
function start(env: Record<string, string>): Promise<{ code: unknown; said: string }> {
  const told = { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [START], { env: told }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stderr }),
    );
  });
}

it.each([
  [{ PORT: 'http' }, 'PORT is a number'],
  [{ PUBLIC_URL: 'api.example.com' }, 'PUBLIC_URL begins with http:// or https://'],
  [{ DATABASE_URL: 'unified' }, 'DATABASE_URL has the form postgres://'],
  [{ DATABASE_URL: 'mysql://user:secret@localhost/x' }, 'DATABASE_URL has the form postgres://'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is error, warn, info, debug, not "loud"'],
])('%j is refused in one line that says what to set', async (env, line) => {
  const { code, said } = await start(env);
  expect(code).toBe(2);
  expect(said).toContain(line);
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(said).not.toContain('secret');
});

it('a database that nobody serves is told without a stack trace', async () => {
  const { code, said } = await start({ DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/unified' });
  expect(code).toBe(1);
  expect(said).toContain('ECONNREFUSED');
  expect(said).toContain('Check DATABASE_URL');
  expect(said).not.toMatch(/^\s+at |secret/m);
});
