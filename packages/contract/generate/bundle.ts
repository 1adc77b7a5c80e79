import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeOperations } from './describe-operations.ts';
import { describeRelations } from './describe-relations.ts';
import { exemplify } from './exemplify.ts';
import { nameErrors } from './name-errors.ts';
import type { Document } from './openapi.ts';
import { redoclyEnvironment } from './redocly-environment.ts';

const run = promisify(execFile);

/**
 * Bundles the files of the document into one with local references. Runs outside the project folder, so that no setting
 * in `redocly.yaml` changes what the server and the client are generated from.
 */
export async function bundle(root: string): Promise<Document> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  try {
    const output = join(folder, 'openapi.json');
    const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
    await run(process.execPath, [cli, 'bundle', resolve(root), '--output', output], {
      cwd: folder,
      env: redoclyEnvironment(),
    });
    const document = JSON.parse(await readFile(output, 'utf8')) as Document;
    refuseRenamed(document);
    return nameErrors(describeOperations(describeRelations(exemplify(document))));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The bundler resolves name clashes by appending `-2`, but two schemas with the same name are a mistake in the document. */
function refuseRenamed(document: Document): void {
  for (const [kind, entries] of Object.entries(document.components)) {
    const renamed = Object.keys(entries).find((name) => /-\d+$/.test(name));
    if (renamed) throw new Error(`Two different ${kind} are called ${renamed.replace(/-\d+$/, '')}.`);
  }
}
