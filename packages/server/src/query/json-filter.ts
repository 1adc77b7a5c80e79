import { requestError } from '../request-error.ts';

/** The parameter that contains all conditions as one JSON object. */
export const JSON_FILTER = 'filter';

const FORM = 'Write a condition as filter[<field>]=<value> or filter[<field>:<operator>]=<value>';

/**
 * Parses the value of `filter=…`, in which some generated clients send a map: the JSON object `{"name:contains": "acme"}`, or
 * equivalently `{"name": {"contains": "acme"}}`.
 *
 * Returns each condition as it would be written between the brackets of `filter[…]`, with its value. Throws
 * `SERVICE_INVALID_FILTER` for anything else, including values that are not strings.
 */
export function readJsonFilter(text: string): [key: string, value: string][] {
  return entriesOf(parsed(text)).flatMap(([key, value]) => {
    if (typeof value === 'string') return [[key, value] as [string, string]];
    return entriesOf(value).map(([operator, text]): [string, string] => {
      if (typeof text !== 'string') throw refused();
      return [`${key}:${operator}`, text];
    });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused();
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused();
  return Object.entries(value);
}

function refused() {
  const message = `${FORM}, or all of them as filter={"<field>:<operator>":"<value>"} with texts as values.`;
  return requestError('SERVICE_INVALID_FILTER', `query/${JSON_FILTER}`, message);
}
