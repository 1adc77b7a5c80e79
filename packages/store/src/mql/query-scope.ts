import { nearest } from '@unified/contract';
import { type Location, queryFault } from './query-fault.ts';
import { type Source, TableSource } from './query-source.ts';
import { quoted, type Value } from './value.ts';

/** The name by which a query accesses the custom fields of a record. */
const CUSTOM = 'customfields';

/** The sources that names in a query can refer to: its own, then those of the queries around it. */
export class QueryScope {
  readonly sources = new Map<string, Source>();
  readonly #outer: QueryScope | undefined;

  constructor(outer?: QueryScope) {
    this.#outer = outer;
  }

  /** Throws SERVICE_INVALID_QUERY if the name is already used, or could be confused with a path. */
  add(source: Source, location: Location): void {
    const { name } = source;
    if (name.includes('.')) throw queryFault(`The name ${quoted(name)} contains a period. Use another one.`, location);
    if (this.sources.has(name)) {
      throw queryFault(`Two tables are called ${quoted(name)}. Give one of them another name with AS.`, location);
    }
    this.sources.set(name, source);
  }

  /**
   * The value that a name stands for: a column; one of a source, `orders.code`; or one that relations lead to,
   * `orders.vendor.currency.code`. Throws SERVICE_INVALID_QUERY.
   */
  resolve(path: readonly string[], location: Location): Value {
    for (let scope: QueryScope | undefined = this; scope; scope = scope.#outer) {
      const found = scope.#find(path, location);
      if (found) return found;
    }
    throw queryFault(this.#unknown(path), location);
  }

  /** Whether a name refers to a column of the query's own sources. */
  hasColumn(name: string): boolean {
    return [...this.sources.values()].some((source) => source.column(name) !== undefined);
  }

  #find(path: readonly string[], location: Location): Value | undefined {
    const [first = '', ...rest] = path;
    const named = this.sources.get(first);
    if (named && rest.length > 0) return follow(named, rest, location);
    const owners = [...this.sources.values()].filter((source) => startsIn(source, first));
    if (owners.length > 1) {
      const names = owners.map(({ name }) => name).join(' and ');
      throw queryFault(
        `${quoted(first)} is a field of ${names}. Write the table before it: ${owners[0]?.name}.${first}.`,
        location,
      );
    }
    return owners[0] && follow(owners[0], path, location);
  }

  #unknown([first = '', second]: readonly string[]): string {
    const sources = [...this.sources.values()];
    const known = [...sources.flatMap(({ columns }) => columns), ...this.sources.keys()];
    const near = nearest(first, known) ?? (second && nearest(second, known));
    const hint = near === undefined ? '' : ` Did you mean ${quoted(near)}?`;
    const where = sources.map(({ name }) => name).join(', ') || 'a query without FROM';
    return `There is no field ${quoted(first)} in ${where}.${hint}`;
  }
}

function startsIn(source: Source, name: string): boolean {
  return source.column(name) !== undefined || (name.toLowerCase() === CUSTOM && source instanceof TableSource);
}

/** Follows a path from a source through relations to a column or a custom field. */
function follow(source: Source, [first = '', ...rest]: readonly string[], location: Location): Value {
  if (first.toLowerCase() === CUSTOM && source instanceof TableSource) {
    const [name, ...further] = rest;
    if (name !== undefined && further.length === 0) return source.customField(name);
    throw queryFault('Write the name of a custom field after customFields: customFields.color.', location);
  }
  if (rest.length > 0) return follow(source.related(first), rest, location);
  const value = source.column(first);
  if (value) return value;
  const near = nearest(first, source.columns);
  const hint = near === undefined ? '' : ` Did you mean ${quoted(near)}?`;
  throw queryFault(`There is no field ${quoted(first)} in ${source.name}.${hint}`, location);
}
