import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { artefacts } from './artefacts.ts';

/**
 * Checks that generation is reproducible: two runs produce the same bytes, and generated/ contains them. Otherwise
 * exits with 1 and prints the files that differ.
 *
 *     node packages/contract/generate/check.ts
 */
const root = fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url));
const [first, second] = await Promise.all([artefacts(root), artefacts(root)]);

for (const { file, text } of first) {
  const again = second.find((other) => other.file === file)?.text;
  const stored = await readFile(new URL(`../generated/${file}`, import.meta.url), 'utf8').catch(() => undefined);
  if (text !== again) fail(`${file}: two runs produced different bytes.`);
  else if (stored !== text) fail(`${file}: generated/ is not up to date; run \`npm run generate\`.`);
}
if (!process.exitCode) console.log(`${first.length} generated files are reproducible and up to date.`);

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
