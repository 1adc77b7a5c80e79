import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { entityFiles } from './entity-files.ts';
import { withEntities } from './entity-lines.ts';

/**
 * Adds the paths, the tags and the tag groups of the files below openapi/entities/ to openapi/openapi.yaml, where it
 * lacks them. With `--check` it changes nothing, prints the missing lines and exits with 1 if there are any.
 *
 *     node packages/contract/generate/list-entities.ts [--root openapi/openapi.yaml] [--check]
 */
const { values } = parseArgs({ options: { root: { type: 'string' }, check: { type: 'boolean' } } });
const root = values.root ?? fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url));
const { text, added } = withEntities(await readFile(root, 'utf8'), await entityFiles(dirname(root)));

if (values.check && added.length > 0) {
  console.error(`openapi.yaml lacks ${added.length} lines. Run \`npm run entities\`, which adds:\n${added.join('\n')}`);
  process.exitCode = 1;
} else if (!values.check) {
  if (added.length > 0) await writeFile(root, text);
  console.log(added.length > 0 ? `Added to openapi.yaml:\n${added.join('\n')}` : 'openapi.yaml lists every entity.');
}
