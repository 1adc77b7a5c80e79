import type { RawRow } from '../driver.ts';
import { keyOf } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { entityOf, isObject } from './entity-row.ts';
import type { Source } from './source.ts';

/** One response to a request for a list. */
export interface ListPage {
  readonly rows: readonly RawRow[];
  /** Address of the rest, as the server returns it. */
  readonly nextLink: string | undefined;
}

/** The rows in a response of either version. @throws {SystemError} `invalid` if it is not a list of entities */
export function pageOfResponse(source: Source, value: unknown): ListPage {
  const outer =
    isObject(value) && isObject(value.d)
      ? value.d
      : isObject(value) && Array.isArray(value.d)
        ? { results: value.d }
        : value;
  const list = isObject(outer) ? (outer.value ?? outer.results) : undefined;
  if (!isObject(outer) || !Array.isArray(list))
    throw new SystemError('invalid', 'The service returned no list of entities');
  const link = outer['@odata.nextLink'] ?? outer['@nextLink'] ?? outer.__next;
  return {
    rows: list.map((each: unknown) => rowOf(source, each)),
    nextLink: typeof link === 'string' && link !== '' ? link : undefined,
  };
}

/** A row with its key. */
export function rowOf({ stream, set, metadata }: Source, wire: unknown): RawRow {
  if (!isObject(wire)) throw new SystemError('invalid', 'The service returned an entity that is not an object');
  const row = entityOf(wire, set.type, metadata);
  const without = stream.key.filter((column) => row[column] === undefined || row[column] === null);
  if (without.length > 0) {
    throw new SystemError('invalid', `The service returned an entity of ${set.name} without ${without.join(', ')}`);
  }
  return { key: keyOf(row, stream.key), row };
}

/** The entity in a response that contains one. */
export function entityIn(value: unknown): unknown {
  return isObject(value) && isObject(value.d) ? value.d : value;
}
