import { bundle } from './bundle.ts';
import { findCollections } from './collections.ts';
import { entitiesSource, errorsSource, operationsSource, typesSource } from './emit.ts';
import { findEntities } from './entities.ts';
import { findErrors } from './errors.ts';
import { findOperations } from './operations.ts';
import { typesOf } from './types.ts';
import { shardsOf } from './validators.ts';

/** One generated file: its name, its text, and what it holds in a few words. */
export interface Artefact {
  readonly file: string;
  readonly text: string;
  readonly holds: string;
}

/** Everything that is made from the document with this root file. The same document gives the same bytes. */
export async function artefacts(root: string): Promise<readonly Artefact[]> {
  const document = await bundle(root);
  const collections = findCollections(document);
  const found = findOperations(document, collections);
  const operations = found.map(({ operation }) => operation);
  const entities = findEntities(document, collections, found);
  const errors = findErrors(document);
  const shards = shardsOf(document, found);
  return [
    { file: 'openapi.json', text: json(document), holds: `${Object.keys(document.paths).length} paths` },
    { file: 'operations.ts', text: operationsSource(operations), holds: `${operations.length} operations` },
    { file: 'entities.ts', text: entitiesSource(entities), holds: `${entities.length} entities` },
    { file: 'errors.ts', text: errorsSource(errors), holds: `${Object.keys(errors).length} error codes` },
    { file: 'validators.json', text: json(shards), holds: `${Object.keys(shards).length} shards` },
    { file: 'types.ts', text: typesSource(await typesOf(document)), holds: 'types' },
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
