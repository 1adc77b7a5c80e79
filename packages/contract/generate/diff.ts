import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { flatDocument } from './flat-document.ts';
import type { Document } from './openapi.ts';
import { redoclyEnvironment } from './redocly-environment.ts';
import { servedDocument } from './served-document.ts';

/**
 * Compares the document with the newest released one, openapi/releases/<version>.json. Exits with 1 on a breaking
 * change, and when `info.version` was not raised as the changes require. A release stores its bundle there:
 *
 *     cp packages/contract/generated/openapi.json openapi/releases/4.0.0.json
 *
 * Both sides are flattened first: within an `allOf`, redocly does not see that a property can no longer be sent.
 */
const openapi = fileURLToPath(new URL('../../../openapi/', import.meta.url));
const newest = releases().at(-1);

if (newest) process.exitCode = await compare(newest);
else console.log('No release is stored in openapi/releases: nothing to compare with.');

function releases(): readonly string[] {
  const names = readdirSync(openapi, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^releases\/.*\.json$/.test(name),
  );
  return names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

async function compare(release: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    const base = flat(folder, 'released.json', JSON.parse(readFileSync(join(openapi, release), 'utf8')) as Document);
    const current = servedDocument(await bundle(join(openapi, 'openapi.yaml')));
    const revision = flat(folder, 'current.json', current);
    return redoclyDiff(base, revision);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function flat(folder: string, name: string, document: Document): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(flatDocument(document), null, 2));
  return path;
}

function redoclyDiff(base: string, revision: string): number {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const config = fileURLToPath(new URL('../../../redocly.yaml', import.meta.url));
  const flags = ['--fail-on', 'major', '--check-version', '--config', config];
  const { status } = spawnSync(process.execPath, [cli, 'diff', base, revision, ...flags], {
    env: redoclyEnvironment(),
    stdio: 'inherit',
  });
  return status ?? 1;
}
