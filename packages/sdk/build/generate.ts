import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { clientDocument, entities, errorTable, type Operation, operations } from '@unified/contract';
import { type Body, bodiesSource } from './bodies-source.ts';
import { codesSource } from './codes-source.ts';
import { collectionCalls } from './collections.ts';
import { collectionsSource, type OperationNotes } from './collections-source.ts';
import { fieldsSource } from './fields-source.ts';
import { namedSchemas } from './named-schemas.ts';
import { offeredPaths } from './offered-paths.ts';
import { openEnums } from './open-enums.ts';

/**
 * Generates src/generated/ from the contract, which must have been generated before.
 *
 *     node packages/sdk/build/generate.ts
 */
export async function generate(): Promise<void> {
  const contract = new URL('../generated/', import.meta.resolve('@unified/contract'));
  const types = await readFile(new URL('types.ts', contract), 'utf8');
  await mkdir(new URL('../src/generated/', import.meta.url), { recursive: true });
  const deprecated = new Set(operations.filter((each) => each.deprecated).map(({ id }) => id));
  const bodies = new Set(operations.map((each) => notesOf(each).body?.name));
  const isNamed = (name: string) => bodies.has(name) || /(Input|Target)$/.test(name);
  await write('types.ts', namedSchemas(openEnums(offeredPaths(types, deprecated)), isNamed));
  await write(
    'bodies.ts',
    bodiesSource(collectionCalls(operations), (operation) => notesOf(operation).body),
  );
  await write('collections.ts', collectionsSource(operations, notesOf));
  await write('fields.ts', fieldsSource(Object.values(entities)));
  await write('codes.ts', codesSource(errorTable));
  await write('version.ts', await versionSource());
}

/** The version of this package, which requests send in their `User-Agent`. */
async function versionSource(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return `// Generated from package.json by the build of this package. Do not edit.

export const version = '${version}';
`;
}

/** Does not write a file that already has this text, so that later build steps see no change. */
async function write(file: string, text: string): Promise<void> {
  const path = new URL(`../src/generated/${file}`, import.meta.url);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before !== text) await writeFile(path, text);
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
}

interface Node {
  readonly summary?: string;
  readonly description?: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
  readonly parameters?: readonly Parameter[];
}

function notesOf({ path, method }: Operation): OperationNotes {
  const item = clientDocument().paths[path] as Readonly<Record<string, unknown>> & Pick<Node, 'parameters'>;
  const { summary, description, requestBody, parameters = [] } = item[method] as Node;
  return {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(requestBody && { body: bodyOf(requestBody.content['application/json']?.schema.$ref) }),
    hasKey: [...parameters, ...(item.parameters ?? [])].some((each) => parameterName(each) === 'Idempotency-Key'),
  };
}

/** Every body of the document is a shared schema. */
function bodyOf(reference = ''): Body {
  const name = reference.replace('#/components/schemas/', '');
  const { description } = (clientDocument().components.schemas?.[name] ?? {}) as { description?: unknown };
  return { name, ...(typeof description === 'string' && { description }) };
}

function parameterName({ $ref, name }: Parameter): string | undefined {
  if ($ref === undefined) return name;
  const shared = clientDocument().components.parameters?.[$ref.replace('#/components/parameters/', '')];
  return (shared as Parameter | undefined)?.name;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
