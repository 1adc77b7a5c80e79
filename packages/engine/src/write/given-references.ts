import type { ResolvedReference, Row } from '@unified/connectors';
import type { Entity, Field } from '@unified/contract';
import type { Scope, WriteOp } from '@unified/store';

/** A body to write, with the entity and the operation that it is for. */
export interface WriteBody {
  readonly entity: string;
  readonly op: WriteOp;
  /** Name of the action, for op `action`. */
  readonly action?: string | null;
  readonly body: Row;
}

/** A reference in the body of a request. */
export interface GivenReference {
  /** Path, for example `currency` or `lines[2].item`. */
  readonly field: string;
  /** Entities that it may point to. */
  readonly targets: readonly string[];
  readonly given: Readonly<Record<string, string>>;
}

/** Resolves a reference to a record; `undefined` drops the value. */
export type ResolveReference = (reference: GivenReference) => Promise<ResolvedReference | undefined>;

/** Entities that a path of a body, such as `vendor` or `lines.item`, may point to; empty if it is no reference. */
export type TargetsAt = (path: string) => readonly string[];

const naming = new Set(['id', '_idValue', 'code', '_displayValue', 'rel', 'href']);

/**
 * Targets in a body with fields of an entity. An object in it has the fields that the document defines for it; an object
 * that is sent instead of a reference, such as a line that is a record of its own, has those of the target.
 */
export function targetsInEntity(entities: Readonly<Record<string, Entity>>, entity: Entity | undefined): TargetsAt {
  // Every line has the same paths.
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const asked = known.get(path);
    if (asked) return asked;
    let [fields, targets]: [readonly Field[] | undefined, readonly string[]] = [entity?.fields, []];
    for (const name of path.split('.')) {
      const field = fields?.find((each) => each.name === name);
      targets = field?.targets ?? [];
      fields = field?.fields ?? entities[targets[0] ?? '']?.fields;
    }
    known.set(path, targets);
    return targets;
  };
}

/** Targets in the body of an action, which the document describes separately from the entity. */
export function targetsInAction(entity: Entity | undefined, name: string): TargetsAt {
  const references = entity?.actions.find((action) => action.name === name)?.references ?? {};
  return (path) => references[path] ?? [];
}

/** Where the body of a write may contain references, and to which entities. */
export function targetsIn(
  { entities }: Pick<Scope, 'entities'>,
  { entity, op, action }: Omit<WriteBody, 'body'>,
): TargetsAt {
  return op === 'action'
    ? targetsInAction(entities[entity], action ?? '')
    : targetsInEntity(entities, entities[entity]);
}

/** The references of a body, including those within lines, in the order of the body. */
export function referencesIn(targetsAt: TargetsAt, body: Row): GivenReference[] {
  const found: GivenReference[] = [];
  const inProperties = (value: Row, path: string, field: string) => {
    for (const [name, property] of Object.entries(value)) inValue(property, `${path}${name}`, `${field}${name}`);
  };
  const inValue = (value: unknown, path: string, field: string) => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) inValue(item, path, `${field}[${index}]`);
    } else if (isObject(value)) {
      const targets = targetsAt(path);
      if (targets.length > 0 && isReference(value)) found.push({ field, targets, given: given(value) });
      else inProperties(value, `${path}.`, `${field}.`);
    }
  };
  inProperties(body, '', '');
  return found;
}

/**
 * Replaces every reference of a body by what `resolve` returns. Fields whose value is dropped are left out. References are
 * resolved one after the other, in the order of the body.
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

/** Whether an object contains only properties that identify a record. */
function isReference(value: Row): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => naming.has(key));
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The properties that identify the target, as text. */
function given(value: Row): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) if (typeof text === 'string' && key !== 'href') named[key] = text;
  return named;
}
