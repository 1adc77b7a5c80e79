import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packAndInstall } from '../../sdk/test/installed-package.ts';
import { buildUnlessThere } from './sdk-client.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A JavaScript block of the README whose first line is a comment with its file name. */
const SAMPLE = /^```js\n(\/\/ (\S+)\n.*?)^```$/ms;
/** Address that the README prints, which `npm start` serves by default. */
const PRINTED = 'http://localhost:4000';

/**
 * Follows the README: `npm init -y`, installs the packed client, saves the sample under its file name and runs it with the
 * command in the README. Only the address is replaced with the address of the given server.
 */
export async function runReadmeSample({ baseUrl, token }: { baseUrl: string; token: string }) {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, code = '', file = ''] = SAMPLE.exec(readme) ?? [];
  if (!code.includes(PRINTED)) throw new Error('README.md has no sample with a file name and the default address');
  if (!readme.includes(`\nnode ${file}\n`)) throw new Error(`README.md has no line "node ${file}"`);
  await buildUnlessThere();
  const folder = await mkdtemp(join(tmpdir(), 'readme-'));
  try {
    await run('npm', ['init', '-y'], { cwd: folder });
    await packAndInstall(join(root, 'packages/sdk'), folder);
    await writeFile(join(folder, file), code.replace(PRINTED, baseUrl));
    const env = { ...process.env, TOKEN: token };
    return await run(process.execPath, [file], { cwd: folder, env }).then(
      ({ stdout }) => ({ printed: stdout, failed: '' }),
      ({ stdout, stderr }) => ({ printed: String(stdout), failed: String(stderr) }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
