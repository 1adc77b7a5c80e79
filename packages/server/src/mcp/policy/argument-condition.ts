import type { ToolRule } from '@unified/store';

/** A condition on one argument. */
export type ArgumentCondition = NonNullable<ToolRule['when']>[number];

type Doc = Readonly<Record<string, unknown>>;

/** What conditions are checked against. */
export interface CallFacts {
  /** Arguments of the call; `record` is the record that it concerns, as it is stored. */
  readonly values: Doc;
  /**
   * The record that a reference in the arguments points to, by the path of the argument. It replaces what was sent, since a
   * record can be named in several ways.
   */
  readonly resolved: ReadonlyMap<string, readonly Doc[]>;
}

/** Whether a condition is met. */
export function isMet(condition: ArgumentCondition, facts: CallFacts): boolean {
  const { argument, operator, value: limit = Number.NaN, values: listed = [] } = condition;
  const found = foundAt(argument.split('.'), facts);
  switch (operator) {
    case 'present':
      return found.length > 0;
    case 'absent':
      return found.length === 0;
    case 'above':
      return found.some((each) => isBeyond(each, (number) => number > limit));
    case 'below':
      return found.some((each) => isBeyond(each, (number) => number < limit));
    case 'in':
      return found.some((each) => identitiesOf(each).some((identity) => isListed(listed, identity)));
    case 'not_in':
      return found.length === 0 || found.some((each) => !isAllowed(listed, each));
  }
}

/**
 * The values of an argument. A path into a reference, such as `body.vendor.id`, leads into the record that the reference was
 * resolved to, because the reference itself may name the record in another way. What was sent counts as well if the record has
 * no such property.
 */
function foundAt(path: readonly string[], { values, resolved }: CallFacts): readonly unknown[] {
  for (let length = path.length; length > 0; length -= 1) {
    const records = resolved.get(path.slice(0, length).join('.'));
    const found = records && valuesAt(records, path.slice(length));
    if (found && found.length > 0) return found;
  }
  return valuesAt(values, path);
}

/** The values at a path; every item of a list is one. Null counts as absent. */
export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
  return valuesAt((value as Doc)[name], rest);
}

/** A value that is not a number is beyond any limit. */
function isBeyond(value: unknown, compare: (number: number) => boolean): boolean {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number !== 'number' || Number.isNaN(number) || compare(number);
}

const IDENTITIES = ['id', '_idValue', 'code', '_displayValue'] as const;

/** What identifies a value: itself, or the properties of a reference. */
function identitiesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return IDENTITIES.flatMap((name) => (value as Doc)[name] ?? []);
}

/**
 * Whether a value is in a list. For a reference that was not resolved, every property must be in it, so that none contradicts.
 */
function isAllowed(listed: ArgumentCondition['values'], value: unknown): boolean {
  const identities = identitiesOf(value);
  const isResolved = typeof value === 'object' && value !== null && 'isResolved' in value;
  const fits = (identity: unknown) => isListed(listed, identity);
  return identities.length > 0 && (isResolved ? identities.some(fits) : identities.every(fits));
}

function isListed(listed: ArgumentCondition['values'] = [], value: unknown): boolean {
  return listed.some((each) => String(each).toLowerCase() === String(value).trim().toLowerCase());
}
