import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('..', import.meta.url));

/** The command: derives `output` from `input/` and logs its start and end. `slow` never ends. */
const COMMAND = `
  import { appendFileSync, writeFileSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  import { whenChanged } from './bootstrap/stamps.mjs';
  const [name, how] = process.argv.slice(2);
  await whenChanged('part', ['input'], ['output'], async () => {
    appendFileSync('log', name + ' begins\\n');
    process.stdout.write('begins');
    if (how === 'fails') process.exit(1);
    if (how === 'slow') await pause(1_000_000);
    await pause(20);
    writeFileSync('output', name);
    appendFileSync('log', name + ' ends\\n');
  });
`;

/** A separate checkout with one file to derive. */
let checkout: string;
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'stamps-'));
  onTestFinished(() => rm(checkout, { recursive: true }));
  await cp(join(SCRIPTS, 'bootstrap'), join(checkout, 'scripts/bootstrap'), { recursive: true });
  await cp(join(SCRIPTS, 'progress.mjs'), join(checkout, 'scripts/progress.mjs'));
  await writeFile(join(checkout, 'scripts/command.mjs'), COMMAND);
  await mkdir(join(checkout, 'input/generated'), { recursive: true });
  await writeFile(join(checkout, 'input/document'), 'one');
});

const args = (...given: string[]) => [join(checkout, 'scripts/command.mjs'), ...given];
const run = (...given: string[]) => promisify(execFile)(process.execPath, args(...given), { cwd: checkout });
const log = async () => (await readFile(join(checkout, 'log'), 'utf8')).trim().split('\n');

describe('a part is derived', () => {
  it('once, as long as its inputs and its output do not change', async () => {
    await run('first');
    await run('second');
    expect(await log()).toEqual(['first begins', 'first ends']);
  });

  it('again if an input was changed or added, or the output is missing', async () => {
    await run('first');
    await appendFile(join(checkout, 'input/document'), ' and more');
    await run('changed');
    await writeFile(join(checkout, 'input/another'), '');
    await run('added');
    await rm(join(checkout, 'output'));
    await run('gone');
    expect((await log()).filter((line) => line.endsWith('ends'))).toEqual([
      'first ends',
      'changed ends',
      'added ends',
      'gone ends',
    ]);
  });

  it('does not run again for files generated inside the inputs', async () => {
    await run('first');
    await writeFile(join(checkout, 'input/generated/types.ts'), '');
    await run('second');
    expect(await log()).toEqual(['first begins', 'first ends']);
  });

  it('again after a failed attempt', async () => {
    await expect(run('first', 'fails')).rejects.toMatchObject({ code: 1 });
    await run('second');
    expect(await log()).toEqual(['first begins', 'second begins', 'second ends']);
  });
});

describe('commands that run at the same time', () => {
  it('take turns and derive a part once', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name)));
    const [begins, ends, ...more] = await log();
    expect(more).toEqual([]);
    expect(begins?.replace('begins', 'ends')).toBe(ends);
  });

  it('do not wait for one that was killed', async () => {
    const killed = await deriving();
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await run('next');
    expect((await log()).at(-1)).toBe('next ends');
  });

  it('do not wait for a lock whose process id now belongs to an unrelated process', async () => {
    const killed = await deriving();
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const lock = join(checkout, 'node_modules/.part-lock');
    await writeFile(lock, String(process.pid));
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await utimes(lock, aMinuteAgo, aMinuteAgo);
    await run('next');
    expect((await log()).at(-1)).toBe('next ends');
    expect(existsSync(lock)).toBe(false);
  });
});

/** A command that has started to derive and will not end. */
async function deriving() {
  const child = spawn(process.execPath, args('killed', 'slow'), { cwd: checkout });
  await once(child.stdout, 'data');
  return child;
}
