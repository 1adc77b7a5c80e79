import { bundle } from './bundle.ts';
import { earlierVersionOf } from './earlier-version-of.ts';
import { entitiesSource, errorsSource, operationsSource, typesSource } from './emit.ts';
import { findEntities } from './entities.ts';
import { findErrors } from './errors.ts';
import { forClientGenerators } from './for-client-generators.ts';
import type { Document } from './openapi.ts';
import { credentialKindsOf, findOperations } from './operations.ts';
import { shardsOf } from './validators.ts';

/** A generated file: its name, its text and a summary of its content. */
export interface Artefact {
  readonly file: string;
  readonly text: string;
  readonly holds: string;
}

/**
 * The parts that can be generated: the code that runs, or the types, which take longer and which only compilers need.
 */
export type Part = 'code' | 'types';

/**
 * Generates all files, or some of them, from the document with this root file. The same document always produces the same
 * bytes.
 */
export async function artefacts(root: string, part?: Part): Promise<readonly Artefact[]> {
  const document = await bundle(root);
  return [...(part === 'types' ? [] : codeOf(document)), ...(part === 'code' ? [] : [await typesArtefact(document)])];
}

function codeOf(document: Document): readonly Artefact[] {
  const found = findOperations(document);
  const operations = found.map(({ operation }) => operation);
  const entities = findEntities(document, found);
  const errors = findErrors(document);
  const shards = shardsOf(document, found);
  return [
    {
      file: 'openapi.json',
      text: json(forClientGenerators(document)),
      holds: `${Object.keys(document.paths).length} paths`,
    },
    {
      file: 'operations.ts',
      text: operationsSource({
        operations,
        credentialKinds: credentialKindsOf(document),
        earlierVersion: earlierVersionOf(document),
      }),
      holds: `${operations.length} operations`,
    },
    { file: 'entities.ts', text: entitiesSource(entities), holds: `${entities.length} entities` },
    { file: 'errors.ts', text: errorsSource(errors), holds: `${Object.keys(errors).length} error codes` },
    { file: 'validators.json', text: json(shards), holds: `${Object.keys(shards).length} shards` },
  ];
}

async function typesArtefact(document: Document): Promise<Artefact> {
  // Imported only here because it loads the TypeScript compiler.
  const { typesOf } = await import('./types.ts');
  return { file: 'types.ts', text: typesSource(await typesOf(document)), holds: 'types' };
}

function json(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
