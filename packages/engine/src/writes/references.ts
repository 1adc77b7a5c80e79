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
  return (place) => {
    let [fields, targets]: [readonly Field[] | undefined, readonly string[]] = [entity?.fields, []];
    for (const name of place.split('.')) {
      const field = fields?.find((each) => each.name === name);
      targets = field?.targets ?? [];
      fields = field?.fields ?? entities[targets[0] ?? '']?.fields;
    }
    return targets;
  };
}

/** The body of an action, which the document describes apart from the entity. */
export function targetsInAction(entity: Entity | undefined, name: string): TargetsAt {
  const references = entity?.actions.find((action) => action.name === name)?.references ?? {};
  return (place) => references[place] ?? [];
}

/**
 * The body with every reference replaced by what `resolve` made of it, also within lines. Fields whose value is dropped
 * are left out. References are resolved one after the other, in the order of the body.
 */
export async function resolveReferences(targetsAt: TargetsAt, body: Row, resolve: ResolveReference): Promise<Row> {
  return resolveProperties(body, '', '');

  async function resolveProperties(value: Row, place: string, field: string): Promise<Row> {
    const resolved: Row = {};
    for (const [name, property] of Object.entries(value)) {
      const result = await resolveValue(property, `${place}${name}`, `${field}${name}`);
      if (result !== undefined) resolved[name] = result;
    }
    return resolved;
  }

  async function resolveValue(value: unknown, place: string, field: string): Promise<unknown> {
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [index, item] of value.entries()) {
        const result = await resolveValue(item, place, `${field}[${index}]`);
        if (result !== undefined) items.push(result);
      }
      return items;
    }
    if (!isObject(value)) return value;
    const targets = targetsAt(place);
    if (targets.length > 0 && isReference(value)) return resolve({ field, targets, given: given(value) });
    return resolveProperties(value, `${place}.`, `${field}.`);
  }
}

/** Whether a value names a record, and nothing more. */
function isReference(value: Row): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => naming.has(key)) && keys.some((key) => key !== 'rel' && key !== 'href');
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The properties that name the target, as text. */
function given(value: Row): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' && key !== 'href' ? [[key, text]] : [])),
  );
}
