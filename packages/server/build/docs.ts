// Builds the reference, a folder of pages, from a copy of the document with presentation added.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument } from '@unified/contract';
import { addCodeSamples } from '../src/reference/code-samples.ts';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { scriptOf, styleOf } from './browser-file.ts';
import { addReferenceTargets } from './reference-targets.ts';
import { sitePages } from './site.ts';
import { addWriteExamples } from './write-examples.ts';

const output = fileURLToPath(new URL('../generated/docs', import.meta.url));
const draft = `${output}.new`;

const document = structuredClone(clientDocument()) as unknown as ReferenceDocument;
addCodeSamples(document);
addWriteExamples(document);
addReferenceTargets(document);
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

await rm(draft, { recursive: true, force: true });
for (const [path, text] of sitePages(document, version)) await write(path, text);
await write('/docs/reference.css', await styleOf('reference'));
for (const name of ['choices', 'element', 'reference', 'search']) await write(`/docs/${name}.js`, await scriptOf(name));
await write('/docs/minisearch.js', await readFile(fileURLToPath(import.meta.resolve('minisearch')), 'utf8'));
// A running server must not read an incomplete reference. While there is none, it waits.
await rm(output, { recursive: true, force: true });
await rename(draft, output);

/** Writes the page at a path: the page at `/docs/filtering` is the file `docs/filtering.html`. */
async function write(path: string, text: string): Promise<void> {
  const file = join(draft, /\.\w+$/.test(path) ? path : `${path}.html`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
