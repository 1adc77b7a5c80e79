import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { entityFiles } from './entity-files.ts';
import { withEntities } from './entity-lines.ts';
import { withEntityNames } from './entity-names.ts';

/**
 * Adds the paths, tags and tag groups of the files below openapi/entities/ to openapi/openapi.yaml if they are missing there,
 * and writes their names into `EntityName` in openapi/shared/schemas.yaml. With `--check` it changes nothing, prints the lines
 * that differ and exits with 1 if there are any.
 *
 * node packages/contract/generate/list-entities.ts [--root openapi/openapi.yaml] [--check]
 */
const { values } = parseArgs({ options: { root: { type: 'string' }, check: { type: 'boolean' } } });
const root = values.root ?? fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url));
const shared = join(dirname(root), 'shared/schemas.yaml');
const files = await entityFiles(dirname(root));
const paths = withEntities(await readFile(root, 'utf8'), files);
const names = withEntityNames(await readFile(shared, 'utf8'), files);
const changes = [...paths.added, ...names.changed];

if (values.check && changes.length > 0) {
  console.error(`The document lacks entities. Run \`npm run entities\`, which writes:\n${changes.join('\n')}`);
  process.exitCode = 1;
} else if (!values.check) {
  if (paths.added.length > 0) await writeFile(root, paths.text);
  if (names.changed.length > 0) await writeFile(shared, names.text);
  console.log(changes.length > 0 ? `Written to openapi/:\n${changes.join('\n')}` : 'The document lists every entity.');
}
