// Builds the reference page, one self-contained HTML file, from a copy of the document with presentation added.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorTable, openApiDocument } from '@unified/contract';
import { addCodeSamples } from './code-samples.ts';
import { withErrorTable } from './error-table.ts';
import { markPlanned } from './planned.ts';
import type { Page } from './reference-page.ts';
import { selfContained } from './self-contained.ts';
import { addWriteExamples } from './write-examples.ts';

const output = fileURLToPath(new URL('../generated/docs.html', import.meta.url));
const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

const page = structuredClone(openApiDocument()) as unknown as Page;
page.info.description = withErrorTable(page.info.description, errorTable);
addCodeSamples(page);
addWriteExamples(page);
markPlanned(page);

// Outside the project folder, so that no setting of `redocly.yaml` changes the page.
const folder = await mkdtemp(join(tmpdir(), 'docs-'));
try {
  const draft = join(folder, 'docs.html');
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(page));
  await promisify(execFile)(
    process.execPath,
    [redocly, 'build-docs', 'openapi.json', '--inlineBundle', '--title', page.info.title, '--output', draft],
    { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  await mkdir(dirname(output), { recursive: true });
  // A running server must not read an incomplete page.
  await writeFile(`${output}.new`, selfContained(await readFile(draft, 'utf8')));
  await rename(`${output}.new`, output);
} finally {
  await rm(folder, { recursive: true });
}
