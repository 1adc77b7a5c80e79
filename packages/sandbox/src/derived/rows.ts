import type { Field, Limits } from '@unified/contract';
import { type Random, random } from '../random.ts';
import type { SeedRow } from '../row.ts';
import { daysAgo, isoDay } from '../time.ts';
import { type Case, caseOf } from './cases.ts';
import { type DerivedTable, FIRST, kindColumn } from './derived-table.ts';
import { examplesOf } from './examples.ts';

type Value = SeedRow[string];

/** Number of rows of each derived table. */
export const ROWS = 40;
const SIDES = ['north', 'south', 'east', 'west', 'central', 'upper', 'lower', 'old'];
const PLACES = ['hall', 'yard', 'gate', 'wing', 'dock'];

/** A record that references may point to. */
export interface Target {
  readonly id: string;
  readonly code: unknown;
}

/** Records that references may point to, by entity. */
export type Targets = (entity: string) => readonly Target[];

/** Rows of a derived table: the same for the same document and day, every value within its limits. */
export function derivedRows({ entity, fields, prefix }: DerivedTable, targets: Targets): SeedRow[] {
  const random_ = random(entity.table);
  const examples = examplesOf(entity.name);
  return Array.from({ length: ROWS }, (_, index) => {
    const made = daysAgo(index * 9 + 1 + random_.next()).toISOString();
    const given = caseOf(entity.name, index);
    const row: Record<string, Value> = { nr: FIRST + index, created_at: made, changed_at: made };
    for (const field of fields) {
      Object.assign(
        row,
        columnsWith(field, { index, random_, examples: examples.get(field.name) ?? [], targets, entity, given, row }),
      );
    }
    return { ...row, code: `${prefix}${FIRST + index}` };
  });
}

interface Context {
  readonly index: number;
  readonly random_: Random;
  readonly examples: readonly unknown[];
  readonly targets: Targets;
  readonly entity: { readonly name: string };
  readonly given: Case;
  /** The columns derived so far. */
  readonly row: Readonly<Record<string, Value>>;
}

function columnsWith(field: Field, context: Context): Record<string, Value> {
  const { index, random_, targets, entity, given } = context;
  const { name, kind, nullable, required } = field;
  const value = given[name];
  if (value !== undefined && kind !== 'relation') return { [name]: value };
  if (name === 'name') return { name: nameOf(entity.name, index) };
  if (kind === 'relation') return reference(field, context);
  if (kind === 'relations') {
    const ids = targets(field.targets?.[0] ?? '')
      .slice(0, 20)
      .map(({ id }) => id);
    return { [name]: ids.length === 0 ? [] : [...new Set([random_.pick(ids), random_.pick(ids)])] };
  }
  // Every sixth row has no value; the first five rows have a value in every field.
  if (nullable && !required && index % 6 === 5) return { [name]: kind === 'texts' || kind === 'objects' ? [] : null };
  return { [name]: storedValue(field, context) };
}

function reference({ name, targets: kinds = [] }: Field, { index, targets, given }: Context): Record<string, Value> {
  const filled = kinds.filter((kind) => targets(kind).length > 0);
  const kind = filled.find((each) => each === given[name]) ?? filled[index % filled.length];
  const records = kind === undefined ? [] : targets(kind);
  const named = records.find(({ code }) => code === given[name]);
  const id = (named ?? records[(index * 7) % records.length])?.id ?? null;
  return kinds.length > 1 ? { [name]: id, [kindColumn(name)]: id === null ? null : (kind ?? null) } : { [name]: id };
}

/** "Tool crib, north hall": a different name for every row. */
function nameOf(entity: string, index: number): string {
  return `${wordsOf(entity)}, ${SIDES[index % SIDES.length]} ${PLACES[Math.floor(index / SIDES.length)]}`;
}

/** "Tool crib" of ToolCrib or toolCrib. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, ' ').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function storedValue(
  { name, kind, values = [], limits = {} }: Field,
  { index, random_, examples, entity, row }: Context,
): Value {
  const example = examples[index % examples.length];
  switch (kind) {
    case 'enum':
      return values[index % values.length] ?? null;
    case 'boolean':
      return random_.chance(0.7);
    case 'integer':
      return Math.round(numberNear(example, limits, random_, 0));
    case 'number':
      return numberNear(example, limits, random_, 2);
    case 'date':
      return isoDay(dayFor(name, random_));
    case 'datetime':
      return endOf(name, row, random_) ?? dayFor(name, random_).toISOString();
    case 'text':
      return textFrom(example, limits, `${entity.name}.${name}`);
    default:
      return (example ?? (kind === 'object' ? null : [])) as Value;
  }
}

/** End and due dates are in the future, all others in the past. */
function dayFor(name: string, { between, next }: Random): Date {
  return daysAgo(/^(end|expir|due|next|validTo|planned)/i.test(name) ? -between(5, 300) : between(5, 700) + next());
}

/** An event ends between half an hour and six hours after its start. */
function endOf(name: string, { startsAt }: Context['row'], { between }: Random): string | null {
  if (name !== 'endsAt' || typeof startsAt !== 'string') return null;
  return new Date(Date.parse(startsAt) + between(1, 12) * 1_800_000).toISOString();
}

/** A number of the same magnitude as the example, within the limits. */
function numberNear(example: unknown, limits: Limits, { next }: Random, digits: number): number {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = limits;
  const middle = Math.max(minimum, Math.min(10, maximum));
  const size = typeof example === 'number' && example !== 0 ? example : middle;
  const rounded = Number((size * (0.5 + next())).toFixed(digits));
  const fits = (value: number) =>
    value >= minimum &&
    value <= maximum &&
    value > (exclusiveMinimum ?? -Infinity) &&
    value < (exclusiveMaximum ?? Infinity);
  return fits(rounded) ? rounded : size;
}

/** @throws Error if the document has no matching example of a text with a pattern */
function textFrom(
  example: unknown,
  { pattern, minLength = 0, maxLength = 4_000 }: Limits,
  name: string,
): string | null {
  const text = typeof example === 'string' ? example : wordsOf(name.split('.').at(-1) ?? '');
  if (pattern && !new RegExp(pattern, 'u').test(text))
    throw new Error(`Add an example of ${name} that matches its pattern`);
  return text.slice(0, maxLength).padEnd(minLength, 'x') || null;
}
