import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const own = fileURLToPath(new URL('..', import.meta.url));

/** A user's project with only the packed package; `remove` deletes it. */
export interface InstalledPackage {
  readonly folder: string;
  /** Files of the tarball. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/** Packs the package as it was last built, and installs it in an empty project, without the network. `npm test` builds it. */
export async function installedPackage(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-user-'));
  // As `npm init -y` writes it.
  await writeFile(join(folder, 'package.json'), '{ "name": "user", "version": "1.0.0", "type": "commonjs" }');
  const files = await packAndInstall(own, folder);
  return { folder, files, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Packs the built package in `source` and installs the tarball in the project `folder`, without the network. Returns the
 * files of the tarball.
 */
export async function packAndInstall(source: string, folder: string): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['pack', source, '--json', '--ignore-scripts'], { cwd: folder });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder });
  return files.map(({ path }) => path);
}
