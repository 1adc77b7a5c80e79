import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Artefact, artefacts } from './artefacts.ts';

/**
 * Generates packages/contract/generated/ from the document; `--verbose` prints what each file contains.
 *
 *     node packages/contract/generate/index.ts [--from openapi/openapi.yaml] [--to packages/contract/generated]
 *       [--only code|types] [--verbose]
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
const { only } = values;
if (only !== undefined && only !== 'code' && only !== 'types')
  throw new Error(`--only is code or types, not "${only}".`);
const from = values.from ?? fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url));
const to = values.to ?? fileURLToPath(new URL('../generated', import.meta.url));

await mkdir(to, { recursive: true });
for (const artefact of await artefacts(from, only)) await write(artefact);

/** Does not write a file that already has this text, so that later build steps see no change. */
async function write({ file, text, holds }: Artefact): Promise<void> {
  const path = join(to, file);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before !== text) await writeFile(path, text);
  if (values.verbose)
    console.log(`${file}: ${holds}, ${(text.length / 1000).toFixed(0)} kB${before === text ? ', unchanged' : ''}`);
}
