import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keyFromCommand } from './key-command.ts';

const directory = await mkdtemp(join(tmpdir(), 'unified-key-command-'));
afterAll(() => rm(directory, { recursive: true }));
const KEY = 'ab'.repeat(32);

/** A command that runs this program in Node. */
async function command(program: string): Promise<string> {
  const file = join(directory, 'print-key.mjs');
  await writeFile(file, program);
  return `${process.execPath} ${file}`;
}

test.each([
  ['hex', KEY],
  ['base64', Buffer.from(KEY, 'hex').toString('base64')],
])('the key that a command prints is used: %s', async (_name, text) => {
  const key = await keyFromCommand(await command(`console.log(${JSON.stringify(text)})`));
  expect(key.bytes.toString('hex')).toBe(KEY);
});

test('arguments are passed as they are, without a shell', async () => {
  const printed = await command(`if (process.argv[2] === '$(true);' && process.argv[3] === '|') console.log('${KEY}')`);
  expect((await keyFromCommand(`${printed}  $(true);  |`)).bytes.toString('hex')).toBe(KEY);
});

test.each([
  ['console.log("canary-but-short")', 'must be 32 bytes'],
  ['console.error("canary"); console.log("canary"); process.exit(3)', 'exited with code 3'],
  ['console.log("canary".repeat(1000))', 'printed more than 1000 characters'],
  ['console.log("canary"); setInterval(() => {}, 1000)', 'did not end within 0.5 seconds'],
])('%s is reported without what the command printed', async (program, problem) => {
  const failure = await keyFromCommand(await command(program), 500).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringContaining(problem) });
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('canary');
});

test('a command that does not exist is reported', async () => {
  await expect(keyFromCommand(join(directory, 'none'))).rejects.toThrow('could not be run (ENOENT)');
});
