import type { Field } from '@unified/contract';

/** A record as it is in responses. */
export type Shown = Readonly<Record<string, unknown>> & { readonly id: string };

/** A condition of a list, and the records that it must match according to the rules in the reference. */
export interface Trial {
  /** As in the query: `filter[name:contains]`. */
  readonly key: string;
  readonly value: string;
  /** Ids of these records, in the order of the records. */
  readonly expected: readonly string[];
}

interface Linked {
  readonly id: string;
}
type Matches = (value: unknown) => boolean;

/**
 * Every operator that the fields of an entity take, with values that occur in these records, and with null where that means
 * something. The SQL of a condition depends on the field and the operator; how its value is read depends on the kind of field.
 * Therefore the first field of each kind is tried with two values, and the others with one. `in` is always tried with both.
 */
export function trialsOf(fields: readonly Field[], records: readonly Shown[]): Trial[] {
  const seen = new Set<Field['kind']>();
  return fields.flatMap((field) => {
    const values = seen.has(field.kind) ? 1 : 2;
    const trials = trialsOfField(field, records, values);
    if (trials.length > NULL_TRIALS) seen.add(field.kind);
    return trials;
  });
}

/** Maximum number of conditions in one list: well below the limits of a query. */
const MOST = 30;

/**
 * Groups trials, with one list request per group. Trials that every record must match are combined: if one of them omits a
 * record, so does the combined list. Every other trial has its own list.
 */
export function together(trials: readonly Trial[], records: readonly Shown[]): readonly (readonly Trial[])[] {
  const { combined = [], single = [] } = Object.groupBy(trials, ({ expected }) =>
    expected.length === records.length ? 'combined' : 'single',
  );
  const groups: Trial[][] = [];
  for (const trial of combined) {
    // A query can contain each parameter only once.
    const group = groups.find((each) => each.length < MOST && each.every(({ key }) => key !== trial.key));
    if (group) group.push(trial);
    else groups.push([trial]);
  }
  return [...groups, ...single.map((trial) => [trial])];
}

/** A field without a value in any record is tried only with null, which has two trials: equal and not equal. */
const NULL_TRIALS = 2;

function trialsOfField(field: Field, records: readonly Shown[], most: number): Trial[] {
  const values = sampled(field, records);
  const trial = (operator: string, value: string, matches: Matches): Trial => ({
    key: `filter[${field.name}${operator === 'eq' ? '' : `:${operator}`}]`,
    value,
    expected: idsOf(records.filter((record) => matches(record[field.name] ?? null))),
  });
  const rules = values.slice(-most).flatMap((value) => rulesFor(field, value).map((rule) => trial(...rule)));
  return [
    ...rules,
    ...throughRelation(field, records),
    ...manyOf(field, values).map((rule) => trial(...rule)),
    ...nothing(field).map((rule) => trial(...rule)),
  ];
}

/** Filters by the key of a related record, which every reference contains. */
function throughRelation({ name, kind }: Field, records: readonly Shown[]): Trial[] {
  if (kind !== 'relation' && kind !== 'relations') return [];
  const keysOf = (record: Shown) =>
    [record[name] ?? []].flat().map((link) => (link as { readonly _idValue: string })._idValue);
  const keys = records.flatMap(keysOf).filter((key) => key !== '' && key !== 'null');
  const key = keys[Math.floor(keys.length / 2)];
  if (key === undefined) return [];
  const expected = idsOf(records.filter((record) => keysOf(record).includes(key)));
  return [{ key: `filter[${name}._idValue]`, value: key, expected }];
}

type Rule = readonly [operator: string, value: string, matches: Matches];

function rulesFor(field: Field, value: string): Rule[] {
  switch (field.kind) {
    case 'text':
      return [...equality(value, same), ...order(value, compareText), ...search(value)];
    case 'number':
    case 'integer':
      return [...equality(value, (a, b) => a === Number(b)), ...order(value, (a, b) => Number(a) - Number(b))];
    case 'date':
    case 'datetime':
      return [...equality(value, (a, b) => moment(a) === moment(b)), ...order(value, (a, b) => moment(a) - moment(b))];
    case 'boolean':
      return equality(value, (a, b) => String(a) === b);
    case 'enum':
      return equality(value, same);
    case 'relation':
      return [
        ['eq', value, (link) => idOf(link) === value],
        ['neq', value, (link) => link !== null && idOf(link) !== value],
      ];
    case 'relations':
      return [
        ['eq', value, (links) => idsOf(links).includes(value)],
        ['neq', value, (links) => idsOf(links).length > 0 && !idsOf(links).includes(value)],
      ];
    case 'texts':
      return [
        ['eq', value, (texts) => listOf(texts).includes(value)],
        ['neq', value, (texts) => !listOf(texts).includes(value)],
      ];
    default:
      return [];
  }
}

const equality = (value: string, isSame: (given: unknown, value: string) => boolean): Rule[] => [
  ['eq', value, (given) => given !== null && isSame(given, value)],
  ['neq', value, (given) => given === null || !isSame(given, value)],
];

const order = (value: string, compare: (given: unknown, value: string) => number): Rule[] => [
  ['gt', value, (given) => given !== null && compare(given, value) > 0],
  ['gte', value, (given) => given !== null && compare(given, value) >= 0],
  ['lt', value, (given) => given !== null && compare(given, value) < 0],
  ['lte', value, (given) => given !== null && compare(given, value) <= 0],
];

/** Parts of the value with inverted case: the search ignores case. */
function search(value: string): Rule[] {
  const half = Math.ceil(value.length / 2);
  const middle = value.slice(Math.floor(value.length / 4), half + 1);
  const rule = (operator: string, part: string, test: (text: string, part: string) => boolean): Rule => {
    const wanted = part.toLowerCase();
    return [operator, part.toUpperCase(), (given) => typeof given === 'string' && test(given.toLowerCase(), wanted)];
  };
  return [
    rule('contains', middle, (text, part) => text.includes(part)),
    rule('startsWith', value.slice(0, half), (text, part) => text.startsWith(part)),
    rule('endsWith', value.slice(half), (text, part) => text.endsWith(part)),
  ];
}

/** `in` with all values together; a value with a comma cannot be in a list. */
function manyOf(field: Field, values: readonly string[]): Rule[] {
  const listed = values.filter((value) => !value.includes(','));
  if (listed.length === 0 || field.kind === 'boolean') return [];
  const single = listed.map((value) => rulesFor(field, value)[0]?.[2]);
  return [['in', listed.join(','), (given) => single.some((matches) => matches?.(given))]];
}

/** `null` matches records without a value, except for relations. */
function nothing({ kind }: Field): Rule[] {
  if (kind === 'relation' || kind === 'relations' || isUnfiltered(kind)) return [];
  const isNothing: Matches = (given) => given === null || (kind === 'texts' && listOf(given).length === 0);
  return [
    ['eq', 'null', isNothing],
    ['neq', 'null', (given) => !isNothing(given)],
  ];
}

/** Up to two existing values of the field, one from the middle and one from near the end, in the form of a filter. */
function sampled({ name, kind }: Field, records: readonly Shown[]): string[] {
  const sent = (value: unknown): string[] => {
    if (value === null || value === undefined || isUnfiltered(kind)) return [];
    if (kind === 'relation') return [idOf(value)];
    if (kind === 'relations') return idsOf(value).slice(0, 1);
    if (kind === 'texts') return listOf(value).slice(0, 1);
    return [String(value)];
  };
  const distinct = [...new Set(records.flatMap((record) => sent(record[name])))].filter(
    (value) => value !== '' && value !== 'null' && value.length <= 1000,
  );
  const chosen = [distinct[Math.floor(distinct.length / 2)], distinct[Math.floor(distinct.length * 0.9)]];
  return [...new Set(chosen.filter((value) => value !== undefined))];
}

const same = (given: unknown, value: string) => given === value;
const moment = remembered((value) => Date.parse(value));
const bytes = remembered((value) => Buffer.from(value));
const compareText = (given: unknown, value: string) => Buffer.compare(bytes(given), bytes(value));
const idOf = (link: unknown) => (link as Linked | null)?.id ?? '';
const idsOf = (links: unknown) => ((links ?? []) as readonly Linked[]).map(({ id }) => id);
const listOf = (texts: unknown) => (texts ?? []) as readonly string[];

/** The same values are compared with many others, so each is read once. */
function remembered<T>(read: (value: string) => T): (value: unknown) => T {
  const known = new Map<string, T>();
  return (value) => {
    const text = String(value);
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = read(text);
    known.set(text, made);
    return made;
  };
}

/** Whether no filter compares fields of this kind. */
function isUnfiltered(kind: Field['kind']): boolean {
  return kind === 'object' || kind === 'objects' || kind === 'custom';
}
