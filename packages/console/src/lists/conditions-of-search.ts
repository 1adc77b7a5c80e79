/** One condition of a list, as in `filter[name:contains]=acme`. */
export interface ListCondition {
  readonly field: string;
  readonly operator: string;
  /** As in the address; the values of `in` are separated by commas. */
  readonly value: string;
}

/** What a list of records shows, as its address states it. */
export interface ListView {
  readonly conditions: readonly ListCondition[];
  /** `name`, or `-name` for descending order. */
  readonly sort: string | undefined;
}

const KEY = /^filter\[([^\]:]+)(?::([a-zA-Z]+))?\]$/;

/** Reads the query of an address, which has the form of the API's. Other parameters are ignored. */
export function viewOfSearch(search: Readonly<Record<string, unknown>>): ListView {
  const conditions = Object.entries(search).flatMap(([key, value]) => {
    const [, field, operator = 'eq'] = KEY.exec(key) ?? [];
    return field !== undefined && typeof value === 'string' ? [{ field, operator, value }] : [];
  });
  return { conditions, sort: typeof search.sort === 'string' && search.sort !== '' ? search.sort : undefined };
}

/** The reverse of `viewOfSearch`. Of two conditions with the same field and operator, the last one counts. */
export function searchOfView({ conditions, sort }: ListView): Record<string, string> {
  const filters = conditions.map(({ field, operator, value }) => [filterKey(field, operator), value]);
  return { ...Object.fromEntries(filters), ...(sort !== undefined && { sort }) };
}

/** `filter[name:contains]`; without the operator if it is `eq`. */
export function filterKey(field: string, operator: string): string {
  return `filter[${field}${operator === 'eq' ? '' : `:${operator}`}]`;
}

/** The filter as the SDK accepts it: `{ name: { contains: 'acme' } }`. `null` is no value. */
export function sdkFilter(conditions: readonly ListCondition[]): Record<string, Record<string, unknown>> {
  const filter: Record<string, Record<string, unknown>> = {};
  for (const { field, operator, value } of conditions)
    filter[field] = { ...filter[field], [operator]: sdkValue(operator, value) };
  return filter;
}

function sdkValue(operator: string, value: string): unknown {
  if (operator === 'in') return value.split(',').map((each) => each.trim());
  return value === 'null' ? null : value;
}
