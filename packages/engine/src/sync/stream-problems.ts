import { isSecretPath, type Platform } from '@unified/connectors';
import { rowProblems, type Scope, type StreamProblem, type UnresolvedField } from '@unified/store';
import { mappingsOf, type StreamMemory } from './stream-memory.ts';

/** Why values of a stream do not get into its records. */
export interface SyncProblem {
  readonly entity: string;
  /** Field with the properties below it (`lines.quantity`), or `where`. */
  readonly field: string;
  /** Where the mapping takes the value from. */
  readonly path: string | null;
  /**
   * `missing_column`: the stream has no such column. `unreadable`: wrong type. `not_allowed`: the document forbids it.
   * `broken_mapping`: the mapping cannot be used, so that the entity is not read. `no_record`: no record, or more than one,
   * fits a reference.
   */
  readonly reason: 'missing_column' | 'unreadable' | 'not_allowed' | 'broken_mapping' | 'no_record';
  /** What is wrong and what to do. */
  readonly message: string;
  /** Values; null where not single values are wrong. */
  readonly count: number | null;
  /** Beginning of one of the values. */
  readonly example: string | null;
}

/** The problems of every stream of a connection, by the name of the stream. */
export async function problemsByStream(scope: Scope): Promise<ReadonlyMap<string, StreamProblem[]>> {
  return Map.groupBy(await rowProblems(scope), ({ stream }) => stream);
}

/**
 * What is wrong with a stream: first what the mappings name and the system does not have, then single values, then
 * references to records that were not found.
 */
export function streamProblems(
  platform: Platform,
  stream: string,
  { missing }: StreamMemory,
  values: readonly StreamProblem[],
  unresolved: readonly UnresolvedField[],
): SyncProblem[] {
  const mappings = new Map(mappingsOf(platform, { name: stream }).map((mapping) => [mapping.entity, mapping]));
  const pathOf = (entity: string, field: string) =>
    mappings
      .get(entity)
      ?.paths.filter((each) => each.field === field)
      .map(({ path }) => path)
      .join(', ') || null;
  return [
    ...missing.map(({ entity, field, path, message }) => ({
      ...{ entity, field, path, reason: 'missing_column' as const, message },
      ...{ count: null, example: null },
    })),
    ...values.map(({ entity, field, reason, message, count, example }) => ({
      ...{ entity, field, path: pathOf(entity, field), reason, message, count, example },
    })),
    ...unresolved.map(({ owner, field, entity, by, count, example }) => {
      const path = pathOf(owner, field);
      const message = `No ${entity}, or more than one, has this ${by}.`;
      const shown = path !== null && isSecretPath(path) ? null : example.slice(0, 100).toWellFormed();
      return { entity: owner, field, path, reason: 'no_record' as const, message, count, example: shown };
    }),
  ];
}
