import type { EarlierVersion } from '../src/earlier-version.ts';
import type { Operation } from '../src/operation.ts';
import type { EntityData } from './entities.ts';
import type { ErrorRow } from './errors.ts';
import { dataPrefixOf } from './operations.ts';

const BANNER = '// Generated from openapi/ by `npm run generate`. Do not edit.\n';

/** What `operations.ts` contains. */
interface Operations {
  readonly operations: readonly Operation[];
  readonly credentialKinds: readonly string[];
  readonly earlierVersion: EarlierVersion;
}

/** Source of `operations.ts`. The types are literal, so that sets of operations by kind exist at compile time. */
export function operationsSource({ operations, credentialKinds, earlierVersion }: Operations): string {
  return [
    BANNER,
    `import type { Operation } from '../src/operation.ts';\n`,
    `export const operations = [\n${lines(operations)}] as const satisfies readonly Operation[];\n`,
    `/** The kinds of credentials: the security schemes of the document. */\nexport type CredentialKind = ${union(credentialKinds)};\n`,
    `/** Prefix of the paths of the data API. */\nexport const dataPrefix = ${JSON.stringify(dataPrefixOf(operations))};\n`,
    `/** The version besides the current one. */\nexport const earlierVersion = ${JSON.stringify(earlierVersion)};\n`,
    'export type AnyOperation = (typeof operations)[number];\n',
  ].join('\n');
}

/** Source of `entities.ts`. The types are plain, since fields are traversed only at run time. */
export function entitiesSource(entities: readonly EntityData[]): string {
  const names = union(entities.map(({ name }) => name));
  const rows = entities.map((entity) => `  ${entity.name}: defineEntity(${JSON.stringify(entity)}),\n`).join('');
  return [
    BANNER,
    `import { defineEntity } from '../src/define-entity.ts';`,
    `import type { Entity } from '../src/entity.ts';\n`,
    `export type EntityName = ${names};\n`,
    `export const entities: Readonly<Record<EntityName, Entity>> = {\n${rows}};\n`,
  ].join('\n');
}

/** Source of `errors.ts`. */
export function errorsSource(table: Readonly<Record<string, ErrorRow>>): string {
  const rows = Object.entries(table).map(([code, row]) => `  ${code}: ${JSON.stringify(row)},\n`);
  return [
    BANNER,
    `export const errorTable = {\n${rows.join('')}} as const;\n`,
    'export type ErrorCode = keyof typeof errorTable;\n',
  ].join('\n');
}

/** Source of `types.ts`. */
export function typesSource(types: string): string {
  return `${BANNER}\n${types}`;
}

function union(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(' | ') || 'never';
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `  ${JSON.stringify(value)},\n`).join('');
}
