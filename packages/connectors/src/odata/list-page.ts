import type { RawRow, Row } from '../driver.ts';
import { isKey, keyOf } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { entityOf, isObject } from './entity-row.ts';
import { listedKey, type Source } from './source.ts';

/** One response to a request for a list. */
export interface ListPage {
  readonly rows: readonly RawRow[];
  /** Keys of the entities of the listed set: those of the rows, unless these are within other entities. */
  readonly keys: readonly string[];
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
  const { list: inner } = source.listed;
  const rows = inner === undefined ? list.map((each: unknown) => rowOf(source, each)) : rowsWithin(source, inner, list);
  return {
    rows,
    keys: inner === undefined ? rows.map(({ key }) => key) : list.map((each: unknown) => outerKey(source, each)),
    nextLink: typeof link === 'string' && link !== '' ? link : undefined,
  };
}

/** The rows in the lists of other entities. */
function rowsWithin({ stream, set, listed, metadata }: Source, list: string, entities: readonly unknown[]): RawRow[] {
  return entities.filter(isObject).flatMap((each) => {
    const inner = entityOf(each, listed.set.type, metadata)[list];
    if (!Array.isArray(inner)) {
      throw new SystemError(
        'invalid',
        `The service returned an entity of ${listed.set.name} without its list ${list}. Check the option "within"`,
      );
    }
    return inner.map((row: Row) => keyed(stream.key, set.name, row));
  });
}

function outerKey(source: Source, wire: unknown): string {
  const { set } = source.listed;
  if (!isObject(wire)) throw noEntity();
  return keyed(listedKey(source), set.name, entityOf(wire, set.type, source.metadata)).key;
}

/** A row with its key. */
export function rowOf({ stream, set, metadata }: Source, wire: unknown): RawRow {
  if (!isObject(wire)) throw noEntity();
  return keyed(stream.key, set.name, entityOf(wire, set.type, metadata));
}

function keyed(key: readonly string[], set: string, row: Row): RawRow {
  const without = key.filter((column) => row[column] === undefined || row[column] === null);
  if (without.length > 0) {
    throw new SystemError(
      'invalid',
      `The service returned an entity of ${set} without ${without.join(', ')}. Check "key" of the stream`,
    );
  }
  const text = keyOf(row, key);
  if (isKey(text)) return { key: text, row };
  throw new SystemError('invalid', `The service returned an entity of ${set} whose key is too long or not valid text`);
}

function noEntity(): SystemError {
  return new SystemError('invalid', 'The service returned an entity that is not an object');
}

/** The entity in a response that contains one. */
export function entityIn(value: unknown): unknown {
  return isObject(value) && isObject(value.d) ? value.d : value;
}
