import { ServiceError } from '@unified/contract';
import type { RawColumn } from '@unified/engine';
import type { RawCondition, RawOperator, RawSort } from '@unified/store';
import { quoted, suggestion, suggestionOf, unlistedError } from '../request-error.ts';

const OPERATORS: readonly string[] = [
  ...['eq', 'neq', 'in', 'gt', 'gte', 'lt', 'lte'],
  ...['contains', 'startsWith', 'endsWith'],
];
const MOST_CONDITIONS = 10;
const MOST_IN_LIST = 200;
const LONGEST_TEXT = 1000;

/** Finds out whether rows have a column that the system does not report. */
export type HasColumn = (column: string) => Promise<boolean>;

/** Conditions on columns of raw rows, parsed from `filter[…]`. Throws `SERVICE_INVALID_FILTER`. */
export async function parseRawFilter(
  filter: ReadonlyMap<string, string>,
  columns: readonly RawColumn[],
  hasColumn: HasColumn,
): Promise<RawCondition[]> {
  if (filter.size > MOST_CONDITIONS) {
    const message = `The filter has more than ${MOST_CONDITIONS} conditions. Remove some of them.`;
    throw new ServiceError('SERVICE_INVALID_FILTER', message);
  }
  const conditions: RawCondition[] = [];
  for (const [key, value] of filter) {
    const [column, word] = splitKey(key);
    const fault = await columnFault(column, columns, hasColumn);
    if (fault) throw refused(key, fault.reason, fault.allowed, column);
    if (!OPERATORS.includes(word)) {
      throw refused(key, `Columns cannot be compared by ${quoted(word)}.`, OPERATORS, word);
    }
    conditions.push({ column, ...comparison(word, value, key) });
  }
  return conditions;
}

/** The order of raw rows. Throws `SERVICE_INVALID_SORT`. */
export async function parseRawSort(
  text: string,
  columns: readonly RawColumn[],
  hasColumn: HasColumn,
): Promise<RawSort> {
  const descending = text.startsWith('-');
  const by = descending ? text.slice(1) : text;
  const isColumn = columns.some(({ name }) => name === by);
  if (!isColumn && (by === 'key' || by === 'savedAt')) return { by, descending };
  const fault = await columnFault(by, columns, hasColumn);
  if (!fault) return { by: { column: by }, descending };
  const allowed = ['key', 'savedAt', ...fault.allowed];
  throw unlistedError('SERVICE_INVALID_SORT', 'sort', fault.reason, { sent: by, allowed });
}

/** The column and the operator of a condition. Names of columns may contain colons. */
function splitKey(key: string): [column: string, operator: string] {
  const colon = key.lastIndexOf(':');
  return colon < 0 ? [key, 'eq'] : [key.slice(0, colon), key.slice(colon + 1)];
}

/** Why a column cannot be used; undefined if it can. */
async function columnFault(column: string, columns: readonly RawColumn[], hasColumn: HasColumn) {
  const known = columns.find(({ name }) => name === column);
  const allowed = columns.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  if (known?.isHidden) return { reason: `Values of ${quoted(column)} are hidden.`, allowed };
  if (known || (await hasColumn(column))) return undefined;
  return { reason: `The stream has no column ${quoted(column)}.`, allowed };
}

function comparison(word: string, value: string, key: string): Pick<RawCondition, 'operator' | 'value'> {
  if (value === 'null' && word === 'eq') return { operator: 'empty', value: null };
  if (value === 'null' && word === 'neq') return { operator: 'given', value: null };
  const values = word === 'in' ? value.split(',') : [value];
  if (values.length > MOST_IN_LIST) throw refused(key, `Send at most ${MOST_IN_LIST} values.`);
  if (values.some((each) => each.length > LONGEST_TEXT)) throw refused(key, `Send at most ${LONGEST_TEXT} characters.`);
  const literal = value.replaceAll(/[\\%_]/g, '\\$&');
  switch (word) {
    case 'in':
      return { operator: 'in', value: values };
    case 'contains':
      return { operator: 'like', value: `%${literal}%` };
    case 'startsWith':
      return { operator: 'like', value: `${literal}%` };
    case 'endsWith':
      return { operator: 'like', value: `%${literal}` };
    default:
      return { operator: word as RawOperator, value };
  }
}

function refused(key: string, reason: string, allowed?: readonly string[], sent?: string): ServiceError {
  const condition = `filter[${key.slice(0, 80)}]`;
  const { advice, detail } = allowed && sent !== undefined ? suggestion(sent, allowed) : suggestionOf(undefined);
  const message = `${reason}${advice}`;
  const details = [{ path: `query/${condition}`, message, ...detail, ...(allowed && { allowed }) }];
  return new ServiceError('SERVICE_INVALID_FILTER', `${condition}: ${message}`, { details });
}
