import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import { breaksBetween, type IntendedBreak, judge } from './breaks.ts';
import { bundle } from './bundle.ts';
import type { Document } from './openapi.ts';
import { releasedForm } from './released-form.ts';

/**
 * Compares the document with that of the last release, openapi/releases/<version>.json.gz, and prints each break. Exits with 1
 * if a break is not listed in openapi/releases/intended-breaks.yaml, or if a listed break does not exist. `--store` stores the
 * document as the one of a release.
 *
 * node packages/contract/generate/diff.ts [--store 0.1.0]
 */
const openapi = fileURLToPath(new URL('../../../openapi/', import.meta.url));
const releases = join(openapi, 'releases');
const { values } = parseArgs({ options: { store: { type: 'string' } } });
const current = releasedForm(await bundle(join(openapi, 'openapi.yaml')));

if (values.store === undefined) process.exitCode = compare();
else store(values.store);

function compare(): number {
  const newest = readdirSync(releases)
    .filter((name) => name.endsWith('.json.gz'))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
  if (newest === undefined) throw new Error(`No release is stored in ${releases}.`);
  const released = JSON.parse(gunzipSync(readFileSync(join(releases, newest))).toString()) as Document;
  const intended = (load(readFileSync(join(releases, 'intended-breaks.yaml'), 'utf8')) ?? []) as IntendedBreak[];
  const breaks = breaksBetween(released, current);
  const { unexpected, outdated } = judge(breaks, intended);
  for (const { at, change } of unexpected) console.error(`Break: ${change}\n  at: '${at}'`);
  for (const { at, change } of outdated) console.error(`Listed as intended, but not found: ${change}\n  at: '${at}'`);
  console.log(`${breaks.length} breaks since ${newest}, ${unexpected.length} of them not intended.`);
  return unexpected.length + outdated.length > 0 ? 1 : 0;
}

function store(version: string): void {
  mkdirSync(releases, { recursive: true });
  writeFileSync(join(releases, `${version}.json.gz`), gzipSync(JSON.stringify(current), { level: 9 }));
}
