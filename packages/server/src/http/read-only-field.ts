import { entityOf, type Operation, type OperationKind } from '@unified/contract';
import { type Finding, keywordOf } from './finding.ts';

const CLOSED = new Set(['additionalProperties', 'unevaluatedProperties']);
/** Where the fields of a record stand in a body, by kind of operation. */
const PLACES: Partial<Record<OperationKind, RegExp>> = {
  create: /^\/body\/([^/]+)$/,
  update: /^\/body\/([^/]+)$/,
  replace: /^\/body\/([^/]+)$/,
  createMany: /^\/body\/items\/\d+\/([^/]+)$/,
};

/** Whether what was found is a field that records of the operation's entity do have, but that cannot be written. */
export function isReadOnly(finding: Finding, { kind, entity = '' }: Operation): boolean {
  if (!CLOSED.has(keywordOf(finding))) return false;
  const name = PLACES[kind]?.exec(finding.path)?.[1];
  return name !== undefined && entityOf(entity)?.field[name]?.writable === false;
}
