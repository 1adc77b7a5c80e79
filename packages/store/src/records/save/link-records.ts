import type { Entity, MappedRecord, Reference } from '@unified/contract';
import { entityIn, type Scope } from '../../access/scope.ts';
import { embeddedReferences, embeddings, showObjects } from './embedded-references.ts';
import type { Draft, Unresolved } from './record-draft.ts';
import { linkTo } from './render-document.ts';
import { type Target, targets } from './targets.ts';

/** Returns the target of a reference among the records that were looked up; null when none, or more than one, matches. */
export type Resolve = (reference: Reference) => Target | null;

/** References found so far: by entity, then property, then value. Null means that several records match. */
type Found = Map<string, Map<string, Target | null>>;

const groupOf = (entity: string, by: string) => `${entity} ${by}`;

/** All references of a record. */
function referencesOf(entity: Entity, record: MappedRecord): Reference[] {
  const own = Object.values(record.references).flatMap((value) => value ?? []);
  return [...own, ...embeddedReferences(entity, record)];
}

/** Looks up the references of a batch of records of one entity, with one query per target entity and property. */
export async function resolveAll(scope: Scope, owner: Entity, records: readonly MappedRecord[]): Promise<Resolve> {
  const found: Found = new Map();
  for (const [group, { entity, by, values }] of wanted(owner, records)) {
    const byValue = new Map<string, Target | null>();
    for (const target of await targets(scope, entityIn(scope, entity), by, [...values])) {
      byValue.set(target[by], byValue.has(target[by]) ? null : target);
    }
    found.set(group, byValue);
  }
  return ({ entity, by, value }) => found.get(groupOf(entity, by))?.get(value) ?? null;
}

function wanted(owner: Entity, records: readonly MappedRecord[]) {
  const groups = new Map<string, { entity: string; by: Reference['by']; values: Set<string> }>();
  for (const record of records) {
    for (const { entity, by, value } of referencesOf(owner, record)) {
      const name = groupOf(entity, by);
      const group = groups.get(name) ?? { entity, by, values: new Set() };
      group.values.add(value);
      groups.set(name, group);
    }
  }
  return groups;
}

/** Looks up references to an entity among the records of a batch of it first, which take precedence over stored ones. */
export function withBatch(stored: Resolve, { name }: Entity, batch: () => readonly Target[]): Resolve {
  let own: Found | undefined;
  return (reference) => {
    if (reference.entity !== name) return stored(reference);
    // Most batches contain no reference to their own entity.
    own ??= foundIn(name, batch());
    return own.get(groupOf(name, reference.by))?.get(reference.value) ?? stored(reference);
  };
}

function foundIn(entity: string, batch: readonly Target[]): Found {
  const properties = ['_idValue', 'code', '_displayValue'] as const;
  return new Map(properties.map((by) => [groupOf(entity, by), new Map(batch.map((target) => [target[by], target]))]));
}

/** The targets of the references of a record, including those within its objects. */
export function linkRecord(
  { publicUrl }: Scope,
  entity: Entity,
  { values, references }: MappedRecord,
  resolve: Resolve,
): Pick<Draft, 'values' | 'links' | 'unresolved'> {
  const unresolved: Unresolved[] = [];
  const found = (field: string, reference: Reference) => {
    const target = resolve(reference);
    if (target === null) unresolved.push({ ...reference, field });
    return target;
  };
  const links: Record<string, Draft['links'][string]> = {};
  for (const [field, value] of Object.entries(references)) {
    if (isList(value)) links[field] = value.flatMap((each) => found(field, each) ?? []);
    else links[field] = value === null ? null : found(field, value);
  }
  let shown = values;
  for (const embedding of embeddings(entity)) {
    const { name } = embedding.field;
    const targets: Target[] = [];
    const show = (reference: Reference) => {
      const target = found(name, reference);
      if (target) targets.push(target);
      return target && linkTo(target, publicUrl);
    };
    shown = { ...shown, [name]: showObjects(embedding, values[name], show) };
    links[name] = targets;
  }
  return { values: shown, links, unresolved };
}

function isList(value: MappedRecord['references'][string]): value is readonly Reference[] {
  return Array.isArray(value);
}
