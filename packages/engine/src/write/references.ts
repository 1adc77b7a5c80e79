import type { ResolvedReference, Row } from '@unified/connectors';
import type { Entity, Field } from '@unified/contract';

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

/** Entities that may be meant at a place of a body, such as `vendor` or `lines.item`; none: no reference is due there. */
export type TargetsAt = (place: string) => readonly string[];

const naming = new Set(['id', '_idValue', 'code', '_displayValue', 'rel', 'href']);

/**
 * A body that holds fields of an entity. An object in it has the fields that the document gives such objects; one sent
 * in place of a reference, such as a line that is a record of its own, has those of the target.
 */
export function targetsInEntity(entities: Readonly<Record<string, Entity>>, entity: Entity | undefined): TargetsAt {
  // Every line asks about the same places.
  const known = new Map<string, readonly string[]>();
  return (place) => {
    const asked = known.get(place);
    if (asked) return asked;
    let [fields, targets]: [readonly Field[] | undefined, readonly string[]] = [entity?.fields, []];
    for (const name of place.split('.')) {
      const field = fields?.find((each) => each.name === name);
      targets = field?.targets ?? [];
      fields = field?.fields ?? entities[targets[0] ?? '']?.fields;
    }
    known.set(place, targets);
    return targets;
  };
}

/** The body of an action, which the document describes apart from the entity. */
export function targetsInAction(entity: Entity | undefined, name: string): TargetsAt {
  const references = entity?.actions.find((action) => action.name === name)?.references ?? {};
  return (place) => references[place] ?? [];
}

/** The references of a body, also those within lines, in the order of the body. */
export function referencesIn(targetsAt: TargetsAt, body: Row): GivenReference[] {
  const found: GivenReference[] = [];
  const inProperties = (value: Row, place: string, field: string) => {
    for (const [name, property] of Object.entries(value)) inValue(property, `${place}${name}`, `${field}${name}`);
  };
  const inValue = (value: unknown, place: string, field: string) => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) inValue(item, place, `${field}[${index}]`);
    } else if (isObject(value)) {
      const targets = targetsAt(place);
      if (targets.length > 0 && isReference(value)) found.push({ field, targets, given: given(value) });
      else inProperties(value, `${place}.`, `${field}.`);
    }
  };
  inProperties(body, '', '');
  return found;
}

/**
 * The body with every reference replaced by what `resolve` made of it. Fields whose value is dropped are left out.
 * References are resolved one after the other, in the order of the body.
 */
export async function resolveReferences(targetsAt: TargetsAt, body: Row, resolve: ResolveReference): Promise<Row> {
  const resolved = new Map<string, ResolvedReference | undefined>();
  for (const reference of referencesIn(targetsAt, body)) resolved.set(reference.field, await resolve(reference));
  return replaceIn(body, resolved);
}

type Resolved = ReadonlyMap<string, ResolvedReference | undefined>;

function replaceIn(body: Row, resolved: Resolved, field = ''): Row {
  const replaced: Row = {};
  for (const [name, property] of Object.entries(body)) {
    const result = replace(property, resolved, `${field}${name}`);
    if (result !== undefined) replaced[name] = result;
  }
  return replaced;
}

function replace(value: unknown, resolved: Resolved, field: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => replace(item, resolved, `${field}[${index}]`));
    return items.filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  return resolved.has(field) ? resolved.get(field) : replaceIn(value, resolved, `${field}.`);
}

/** Whether a value is meant to name a record, and says nothing more. */
function isReference(value: Row): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => naming.has(key));
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The properties that name the target, as text. */
function given(value: Row): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) if (typeof text === 'string' && key !== 'href') named[key] = text;
  return named;
}
