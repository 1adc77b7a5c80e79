import { earlierVersion as generated } from '../generated/operations.ts';
import type { Operation, OperationKind } from './operation.ts';

/** The version that an application can select in addition to the current one. */
export interface EarlierVersion {
  /** Value of the setting that selects it. */
  readonly name: string;
  /** Prefix of its paths. */
  readonly base: string;
  /** Value of the header `Deprecation`. */
  readonly since: string;
}

export const earlierVersion: EarlierVersion = generated;

const KINDS: readonly OperationKind[] = ['list', 'get', 'create'];

/**
 * The operations of the earlier version: the lists, records and creates of the data API, and its deprecated operations. Each is
 * served like the current operation with the same id, and names that operation or the successor of that operation as its own
 * successor.
 */
export function earlierOperations(current: readonly Operation[]): Operation[] {
  const { name, base, since } = earlierVersion;
  return current.filter(isEarlier).map((operation) => ({
    ...operation,
    version: name,
    bases: [base],
    deprecated: true,
    deprecation: { since, successor: operation.deprecation?.successor ?? operation.path },
  }));
}

function isEarlier({ surface, kind, deprecated }: Operation): boolean {
  return surface === 'data' && (deprecated || KINDS.includes(kind));
}
