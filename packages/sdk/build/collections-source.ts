import { dataPrefix, type Operation } from '@unified/contract';
import type { Body } from './bodies-source.ts';
import { type CollectionCall, camelCase, collectionCalls } from './collections.ts';

/** Facts about an operation that are not in the contract's table. */
export interface OperationNotes {
  readonly summary?: string;
  readonly description?: string;
  readonly body?: Body;
  /** Whether it takes an `Idempotency-Key`. */
  readonly hasKey: boolean;
  /** The call to use instead of a deprecated one. */
  readonly replacement?: string;
}

type NotesOf = (operation: Operation) => OperationNotes;
type Group = readonly [collection: string, calls: readonly CollectionCall[]];

/**
 * Source of the table of collections, and of the types of their calls, with deprecated ones in separate types. The table contains
 * no usual calls, such as `list`: all collections have them at run time, and the types offer those that the contract has.
 */
export function collectionsSource(operations: readonly Operation[], notes: NotesOf): string {
  const calls = collectionCalls(operations);
  const served = calls.filter(({ operation }) => !operation.deprecated);
  const current = grouped(served);
  const legacy = grouped(calls.filter(({ operation }) => operation.deprecated));
  const bodies = new Set(calls.flatMap(({ operation }) => notes(operation).body?.name ?? []));
  const root = operations.filter(({ bases }) => !bases.includes(dataPrefix)).map(({ path }) => path);
  const unkeyed = operations
    .filter((each) => each.method === 'post' && !notes(each).hasKey)
    .map(({ path }) => path.replaceAll(/\{[^}]+\}/g, ':'));
  return `// Generated from the contract by the build of this package. Do not edit.

import type * as calls from '../calls.ts';
import type { ${[...bodies].join(', ')} } from './bodies.ts';
import type { operations } from './types.ts';

/** Collections with their actions; \`()\` after an action means that it has no body. */
export const collections: readonly string[] = [
${grouped(calls)
  .map((group) => row(group, notes))
  .join('')}];

/** Prefix of all paths except those of \`rootPaths\`. */
export const prefix = '${dataPrefix}';

/** Paths at the root of the server, without the version segment. */
export const rootPaths: readonly string[] = ${JSON.stringify([...new Set(root)])};

/** Paths of POST operations that accept no idempotency key; \`:\` stands for one segment. */
export const unkeyed: readonly string[] = ${JSON.stringify(unkeyed)};

${current.map((group) => declaration('', group, notes)).join('')}${legacy.map((group) => declaration('Legacy', group, advised(notes, served))).join('')}/** The calls by collection. */
export interface Collections {
${current.map(([name]) => property('', name)).join('')}}

/** The deprecated calls by collection. */
export interface LegacyCollections {
${legacy.map(([name]) => property('Legacy', name)).join('')}}
`;
}

/**
 * The notes, with the call that replaces a deprecated one: at the replacement address, the call with the same method, or else
 * the update.
 */
function advised(notes: NotesOf, current: readonly CollectionCall[]): NotesOf {
  return (operation) => {
    const known = notes(operation);
    const there = current.filter((each) => each.operation.path === operation.deprecation?.successor);
    const withMethod = (method: Operation['method']) => there.find((each) => each.operation.method === method);
    const call = withMethod(operation.method) ?? withMethod('patch') ?? there[0];
    return call ? { ...known, replacement: `${camelCase(call.collection)}.${call.name}` } : known;
  };
}

function grouped(calls: readonly CollectionCall[]): Group[] {
  return [...Map.groupBy(calls, ({ collection }) => collection)];
}

function row([collection, calls]: Group, notes: NotesOf): string {
  return `  '${[collection, ...actions(calls, notes)].join(' ')}',\n`;
}

/** An interface for each collection, since editors show its name instead of all calls. */
function declaration(prefix: string, [collection, calls]: Group, notes: NotesOf): string {
  return `export interface ${typeName(prefix, collection)} {\n${members(calls, notes)}}\n\n`;
}

function property(prefix: string, collection: string): string {
  return `  ${camelCase(collection)}: ${typeName(prefix, collection)};\n`;
}

function typeName(prefix: string, collection: string): string {
  const name = camelCase(collection);
  return `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const USUAL: readonly string[] = ['list', 'get', 'create', 'createMany', 'update', 'replace', 'delete'];

/** Throws for an action that would replace a usual call. */
function actions(calls: readonly CollectionCall[], notes: NotesOf): string[] {
  return calls
    .filter(({ operation }) => isAction(operation))
    .map(({ name, operation }) => {
      if (USUAL.includes(name)) throw new Error(`The action ${operation.id} has the name of a usual call.`);
      return notes(operation).body ? name : `${name}()`;
    });
}

function members(calls: readonly CollectionCall[], notes: NotesOf): string {
  return calls
    .map((call) => {
      const known = notes(call.operation);
      return `${comment(call, known)}  ${call.name}: ${type(call, known)};\n`;
    })
    .join('');
}

function comment({ operation }: CollectionCall, { summary, description, replacement }: OperationNotes): string {
  const deprecation = replacement === undefined ? '@deprecated' : `@deprecated Use \`${replacement}\`.`;
  const lines = [summary, description, operation.deprecated ? deprecation : undefined].filter((line) => line);
  const text = lines.join('\n\n').replaceAll('*/', '*\\/').trim().split('\n');
  return lines.length === 0 ? '' : `  /**\n${text.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */\n`;
}

const READ_TYPES = { list: 'List', get: 'Get' } as const;
const WRITE_TYPES = { create: 'Create', createMany: 'CreateMany', update: 'Change', replace: 'Change' } as const;
const OTHER_TYPES = { list: 'ListOf', get: 'GetOf', create: 'Send' } as const;

function type({ name, operation }: CollectionCall, { body }: OperationNotes): string {
  const { id, kind, entity } = operation;
  const own = `operations['${id}']`;
  if (kind === 'delete') return 'calls.Delete';
  if (entity !== undefined) {
    const reads = READ_TYPES[name as keyof typeof READ_TYPES];
    if (reads) return `calls.${reads}<'${entity}'>`;
    const writes = WRITE_TYPES[name as keyof typeof WRITE_TYPES];
    if (writes) return `calls.${writes}<${body?.name}, '${entity}'>`;
  }
  const given = body ? `, ${body.name}` : '';
  return `calls.${OTHER_TYPES[name as keyof typeof OTHER_TYPES] ?? 'Act'}<${own}${given}>`;
}

function isAction({ path }: Operation): boolean {
  return path.includes('/actions/');
}
