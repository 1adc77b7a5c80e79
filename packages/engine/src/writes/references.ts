import type { ResolvedReference, Row } from '@unified/connectors';
import type { Entity } from '@unified/contract';

/** A reference in the body of a request. */
export interface GivenReference {
  /** Where it stands, for example `currency` or `lines[2].item`. */
  readonly field: string;
  /** Entities that may be meant. */
  readonly targets: readonly string[];
  readonly given: Readonly<Record<string, string>>;
}

/** What becomes of a reference: the record that it means, or `undefined` where the value is dropped. */
export type ResolveReference = (reference: GivenReference) => Promise<ResolvedReference | undefined>;

type Entities = Readonly<Record<string, Entity>>;

const naming = new Set(['id', '_idValue', 'code', '_displayValue', 'rel', 'href']);

/** Whether a value names a record, and nothing more. */
function isReference(value: Row): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => naming.has(key)) && keys.some((key) => key !== 'rel' && key !== 'href');
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Entities that a field may point to. Bodies of actions and embedded lists have no field list of their own: there the
 * name decides, because one name means one thing all over the document.
 */
function targetsOf(entities: Entities, entity: Entity | undefined, name: string): readonly string[] {
  const own = entity?.field[name]?.targets;
  if (own) return own;
  const all = Object.values(entities).flatMap((other) => other.field[name]?.targets ?? []);
  return [...new Set(all)];
}

/**
 * The body with every reference replaced by what `resolve` made of it, also within lines. Fields whose value is dropped
 * are left out. References are resolved one after the other, in the order of the body.
 */
export async function resolveReferences(
  entities: Entities,
  entity: Entity | undefined,
  input: Row,
  resolve: ResolveReference,
  path = '',
): Promise<Row> {
  const resolved: Row = {};
  for (const [name, value] of Object.entries(input)) {
    const targets = targetsOf(entities, entity, name);
    const result = await resolveValue(entities, targets, value, resolve, `${path}${name}`);
    if (result !== undefined) resolved[name] = result;
  }
  return resolved;
}

async function resolveValue(
  entities: Entities,
  targets: readonly string[],
  value: unknown,
  resolve: ResolveReference,
  field: string,
): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      const result = await resolveValue(entities, targets, item, resolve, `${field}[${index}]`);
      if (result !== undefined) items.push(result);
    }
    return items;
  }
  if (!isObject(value)) return value;
  if (targets.length > 0 && isReference(value)) return resolve({ field, targets, given: given(value) });
  const [target] = targets;
  return resolveReferences(entities, target === undefined ? undefined : entities[target], value, resolve, `${field}.`);
}

/** The properties that name the target, as text. */
function given(value: Row): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' && key !== 'href' ? [[key, text]] : [])),
  );
}
