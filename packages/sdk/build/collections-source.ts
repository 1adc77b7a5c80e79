import { dataPrefix, type Operation } from '@unified/contract';
import { type CollectionCall, camelCase, collectionCalls } from './collections.ts';

/** Facts about an operation that are not in the contract's table. */
export interface OperationNotes {
  readonly summary?: string;
  readonly description?: string;
  readonly hasBody: boolean;
  /** Whether it takes an `Idempotency-Key`. */
  readonly hasKey: boolean;
}

/** Source of the table of collections and of the types of their calls. */
export function collectionsSource(
  operations: readonly Operation[],
  notes: (operation: Operation) => OperationNotes,
): string {
  const calls = [...Map.groupBy(collectionCalls(operations), ({ collection }) => collection)];
  const table = calls.map(([collection, each]) => `  '${collection}': '${names(each, notes)}',\n`);
  const types = calls.map(([collection, each]) => `  ${camelCase(collection)}: {\n${members(each, notes)}  };\n`);
  const root = operations.filter(({ bases }) => !bases.includes(dataPrefix)).map(({ path }) => path);
  const unkeyed = operations.filter((each) => each.method === 'post' && !notes(each).hasKey).map(addressPattern);
  return `// Generated from the contract by the build of this package. Do not edit.

import type * as calls from '../calls.ts';
import type { operations } from './types.ts';

/** Calls of each collection; \`()\` after an action means that it has no body. */
export const collections: Readonly<Record<string, string>> = {
${table.join('')}};

/** Prefix of all paths except those of \`rootPaths\`. */
export const prefix = '${dataPrefix}';

/** Paths at the root of the server, without the version segment. */
export const rootPaths: readonly string[] = ${JSON.stringify([...new Set(root)])};

/** Addresses of POST operations that accept no idempotency key; \`:\` stands for one segment. */
export const unkeyed: readonly string[] = ${JSON.stringify(unkeyed)};

/** The calls by collection. */
export interface Collections {
${types.join('')}}
`;
}

function addressPattern({ bases, path }: Operation): string {
  return `${bases[0] ?? ''}${path.replaceAll(/\{[^}]+\}/g, ':')}`;
}

function names(calls: readonly CollectionCall[], notes: (operation: Operation) => OperationNotes): string {
  return calls
    .map(({ name, operation }) => (isAction(operation) && !notes(operation).hasBody ? `${name}()` : name))
    .join(' ');
}

function members(calls: readonly CollectionCall[], notes: (operation: Operation) => OperationNotes): string {
  return calls.map((call) => `${comment(call, notes(call.operation))}    ${call.name}: ${type(call)};\n`).join('');
}

function comment({ operation }: CollectionCall, { summary, description }: OperationNotes): string {
  const lines = [summary, description, operation.deprecated ? '@deprecated' : undefined].filter((line) => line);
  const text = lines.join('\n\n').replaceAll('*/', '*\\/').trim().split('\n');
  return lines.length === 0 ? '' : `    /**\n${text.map((line) => `     * ${line}`.trimEnd()).join('\n')}\n     */\n`;
}

const READ_TYPES = { list: 'List', get: 'Get' } as const;
const WRITE_TYPES = { create: 'Create', createMany: 'CreateMany', update: 'Change', replace: 'Change' } as const;
const OTHER_TYPES = { list: 'ListOf', get: 'GetOf', create: 'Send' } as const;

function type({ name, operation }: CollectionCall): string {
  const { id, kind, entity } = operation;
  const own = `operations['${id}']`;
  if (kind === 'delete') return 'calls.Delete';
  if (entity !== undefined) {
    const reads = READ_TYPES[name as keyof typeof READ_TYPES];
    if (reads) return `calls.${reads}<'${entity}'>`;
    const writes = WRITE_TYPES[name as keyof typeof WRITE_TYPES];
    if (writes) return `calls.${writes}<${own}, '${entity}'>`;
  }
  return `calls.${OTHER_TYPES[name as keyof typeof OTHER_TYPES] ?? 'Act'}<${own}>`;
}

function isAction({ path }: Operation): boolean {
  return path.includes('/actions/');
}
