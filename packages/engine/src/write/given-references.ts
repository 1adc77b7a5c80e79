import type { ResolvedReference, Row } from '@unified/connectors';
import { type Entity, type Field, nearest, ServiceError, spokenName } from '@unified/contract';
import type { Scope, WriteOp, WriteResolvedRef } from '@unified/store';

/** A body to write, with its entity and operation. */
export interface WriteBody {
  /** Name of the operation that requested the write. */
  readonly operation?: string;
  readonly entity: string;
  readonly op: WriteOp;
  /** Name of the action, for op `action`. */
  readonly action?: string | null;
  /** Id of the record; absent for a create. */
  readonly targetId?: string | null;
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

/** Entities that a path of a body, such as `vendor` or `lines.item`, may point to; empty if it is not a reference. */
export type TargetsAt = (path: string) => readonly string[];

const naming = new Set(['id', '_idValue', 'code', '_displayValue', 'externalValue', 'rel', 'href']);

/**
 * Targets in a body with the fields of an entity. An object in the body has the fields that the document defines for it. An
 * object that is sent instead of a reference, such as a line that is a record, has the fields of the target.
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
 * Replaces every reference of a body with the result of `resolve`. Fields whose value is dropped are left out.
 * References are resolved one at a time, in the order of the body.
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

export type MatchedOn = WriteResolvedRef['matchedOn'];

/** A reference that cannot be used, and how to correct it. */
export interface ReferenceFault {
  readonly reference: GivenReference;
  readonly message: string;
  /** The nearest valid name. */
  readonly didYouMean?: string | undefined;
}

/**
 * Properties to compare, by the property that is sent. A label is also compared with codes, because `EUR` is used as either.
 */
const ways: readonly { readonly property: MatchedOn; readonly tried: readonly MatchedOn[] }[] = [
  { property: 'id', tried: ['id'] },
  { property: '_idValue', tried: ['_idValue'] },
  { property: 'code', tried: ['code'] },
  { property: '_displayValue', tried: ['_displayValue', 'code'] },
  { property: 'externalValue', tried: ['externalValue'] },
];

const MOST_DETAILS = 20;
const MOST_IN_MESSAGE = 3;
const LONGEST_SHOWN = 80;

/** The property that identifies the record of a reference, and its value; undefined if the reference has none. */
export function keyOf({ given }: GivenReference) {
  const way = ways.find(({ property }) => given[property] !== undefined);
  const value = way ? (given[way.property] ?? '') : '';
  return way && value.trim() !== '' ? { ...way, value } : undefined;
}

/** Entities that a reference may point to: those that the field allows, or the one of them that `rel` selects. */
export function meantBy({ targets, given }: GivenReference): readonly string[] {
  return targets.filter((entity) => given.rel === undefined || entity === given.rel);
}

/** The reason why the document does not allow a reference: its `rel` is not an allowed entity, or it has no key. */
export function referenceFault(reference: GivenReference): ReferenceFault | undefined {
  const { targets, given } = reference;
  if (meantBy(reference).length === 0) {
    const didYouMean = nearest(given.rel ?? '', targets);
    const advice = didYouMean === undefined ? '' : ` Did you mean "${didYouMean}"?`;
    const message = `It cannot point to "${shortened(given.rel)}", only to ${kinds(targets)}.${advice}`;
    return { reference, message, didYouMean };
  }
  if (keyOf(reference)) return undefined;
  const message = `It identifies no record. Send the \`id\`, \`_idValue\`, \`code\` or \`_displayValue\` of the ${spokenKinds(reference)}.`;
  return { reference, message };
}

/** No record matches a reference. */
export function noMatch(reference: GivenReference): ReferenceFault {
  const message = `No ${spokenKinds(reference)} has ${keyShown(reference)}. Send the \`id\`, \`_idValue\`, \`code\` or \`_displayValue\` of one that exists.`;
  return { reference, message };
}

/** The key of a reference as messages show it, such as `the _displayValue "Euro"`. */
export function keyShown(reference: GivenReference): string {
  const { property = 'id', value } = keyOf(reference) ?? {};
  return `the \`${property}\` "${shortened(value)}"`;
}

/** The error for a body with invalid references. */
export function unresolved(faults: readonly ReferenceFault[]): ServiceError {
  const details = faults
    .slice(0, MOST_DETAILS)
    .map(({ reference: { field, given, targets }, message, didYouMean }) => ({
      path: pathOf(field),
      message,
      field,
      given,
      allowed: targets,
      ...(didYouMean !== undefined && { didYouMean }),
    }));
  const message = details.slice(0, MOST_IN_MESSAGE).map((each) => `\`${each.field}\`: ${each.message}`);
  return new ServiceError('SERVICE_UNRESOLVED_REFERENCE', message.join(' '), { details });
}

/** The path in error details: `lines[2].item` becomes `body/lines/2/item`. */
function pathOf(field: string): string {
  return `body/${field.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
}

/** Entities as `rel` names them. */
function kinds(targets: readonly string[]): string {
  return targets.join(' or ');
}

function spokenKinds(reference: GivenReference): string {
  return meantBy(reference).map(spokenName).join(' or ');
}

function shortened(text = ''): string {
  return text.slice(0, LONGEST_SHOWN).toWellFormed();
}
