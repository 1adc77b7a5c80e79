import type { Field, ViewMember } from '../src/entity.ts';
import type { EntityData } from './entities.ts';
import type { Document } from './openapi.ts';

/** The `x-view` of an entity's schema; absent for an entity with a table. */
export function viewOf(document: Document, name: string): Pick<EntityData, 'view'> {
  const view = document.components.schemas?.[name]?.['x-view'];
  return Array.isArray(view) ? { view: view as readonly ViewMember[] } : {};
}

/**
 * Throws if a view cannot be served from its members (they are missing, are views themselves, cannot be distinguished,
 * or lack a field of the view), and if something refers to a view instead of its members. `created` names the entities
 * that can be created.
 */
export function checkViews(entities: readonly EntityData[], created: ReadonlySet<string>): void {
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  for (const entity of entities) {
    refuseReferences(entity, byName);
    if (entity.view) checkDiscriminator(entity, entity.view, created.has(entity.name));
    for (const member of entity.view ?? []) checkMember(entity, member, storedEntity(entity, member, byName));
  }
}

function checkMember(view: EntityData, { where }: ViewMember, stored: EntityData): void {
  for (const field of view.fields) checkField(view, field, stored, where[field.name]);
  for (const [name, value] of Object.entries(where)) checkWhere(view, stored, name, value);
  const known = stored.actions.map(({ name }) => name);
  const unknown = view.actions.find(({ name }) => !known.includes(name));
  if (unknown) refuse(view, `${stored.name} has no action \`${unknown.name}\`.`);
}

function storedEntity(view: EntityData, member: ViewMember, byName: ReadonlyMap<string, EntityData>): EntityData {
  const stored = byName.get(member.entity);
  if (!stored) refuse(view, `its member ${member.entity} is not an entity.`);
  if (stored.view) refuse(view, `its member ${member.entity} is a view itself; name what that one shows.`);
  return stored;
}

/**
 * The declaration of a field in the view must be true for the records of the member, as must the declarations of properties of
 * the objects in it. `place` is the prefix of their names.
 */
function checkField(view: EntityData, field: Field, stored: EntityData, given?: string | boolean): void {
  compare(view, stored, { field, own: stored.fields.find(({ name }) => name === field.name), given, place: '' });
}

interface Compared {
  readonly field: Field;
  /** The same field of the member. */
  readonly own: Field | undefined;
  /** Value of the field in all records of the view; undefined if they differ. */
  readonly given: string | boolean | undefined;
  /** Name of the field that contains it, followed by a dot; otherwise empty. */
  readonly place: string;
}

function compare(view: EntityData, stored: EntityData, { field, own, given, place }: Compared): void {
  const name = `${place}${field.name}`;
  const wrong = (what: string) => refuse(view, `${stored.name} ${what} \`${name}\`.`);
  if (!own) refuse(view, `${stored.name} has no field \`${name}\`.`);
  if (own.kind !== field.kind) refuse(view, `\`${name}\` is ${field.kind}, in ${stored.name} it is ${own.kind}.`);
  if (own.nullable && !field.nullable) wrong('allows null in');
  if (field.required && !own.required) wrong('does not require');
  if (field.writable && !own.writable && given === undefined) wrong('does not accept');
  if (missing(own.targets, field.targets)) wrong('has further targets in');
  if (missing(typeof given === 'string' ? [given] : own.values, field.values)) wrong('has further values in');
  for (const inner of field.fields ?? []) {
    const held = own.fields?.find((each) => each.name === inner.name);
    compare(view, stored, { field: inner, own: held, given: undefined, place: `${name}.` });
  }
}

function missing(all: readonly string[] = [], known: readonly string[] = []): boolean {
  return all.some((each) => !known.includes(each));
}

function checkWhere(view: EntityData, stored: EntityData, name: string, value: unknown): void {
  const field = stored.fields.find((each) => each.name === name);
  if (!field) refuse(view, `\`where\` names \`${name}\`, which ${stored.name} does not have.`);
  const fits =
    field.kind === 'boolean' ? typeof value === 'boolean' : typeof value === 'string' && isNamed(field, value);
  if (!fits) refuse(view, `\`${name}\` of ${stored.name} is never ${JSON.stringify(value)}.`);
  if (view.view?.length !== 1 && field.values?.length !== 1)
    refuse(
      view,
      `of several members, each is shown whole: list "${String(value)}" as the one value of \`${name}\` of ${stored.name}.`,
    );
}

function isNamed({ kind, values = [] }: Field, value: string): boolean {
  return kind === 'text' || (kind === 'enum' && values.includes(value));
}

/**
 * A view of one entity shows part of it. A view of several entities shows all of their records, so that its lists can merge
 * theirs. In the document, each entity allows only its own value of the discriminator, and a create names the entity by this
 * value.
 */
function checkDiscriminator(view: EntityData, members: readonly ViewMember[], isCreated: boolean): void {
  const names = new Set(members.map(({ where }) => Object.keys(where).sort().join()));
  const values = new Set(members.map(({ where }) => JSON.stringify(Object.entries(where).sort())));
  if (names.has('')) refuse(view, 'a member has no `where`.');
  if (names.size > 1) refuse(view, '`where` names other fields for one member than for another.');
  if (values.size < members.length) refuse(view, 'two members have the same `where`.');
  const optional = Object.keys(members[0]?.where ?? {}).find((name) => !view.requiredOnCreate.includes(name));
  if (members.length > 1 && isCreated && optional)
    refuse(view, `\`${optional}\` distinguishes its members: a create must require it.`);
}

/** A reference leads to the address of the record, which is an address of the member. */
function refuseReferences(entity: EntityData, byName: ReadonlyMap<string, EntityData>): void {
  const own = entity.fields.flatMap(({ name, targets = [], fields = [] }) => [
    { place: name, targets },
    ...fields.map((inner) => ({ place: `${name}.${inner.name}`, targets: inner.targets ?? [] })),
  ]);
  const sent = entity.actions.flatMap(({ name, references }) =>
    Object.entries(references).map(([path, targets]) => ({ place: `${name}/${path}`, targets })),
  );
  for (const { place, targets } of [...own, ...sent]) {
    const view = targets.map((target) => byName.get(target)).find((target) => target?.view);
    const members = view?.view?.map((member) => member.entity).join(', ');
    if (view)
      throw new Error(`${entity.name}: \`${place}\` refers to the view ${view.name}; name its members: ${members}.`);
  }
}

function refuse(view: EntityData, message: string): never {
  throw new Error(`The view ${view.name}: ${message}`);
}
