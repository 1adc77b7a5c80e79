import type { Entity, Field, ServiceError, ViewMember } from '@unified/contract';
import { requestError } from '../request-error.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Checks a new record that is sent to the address of its entity. If a view of part of the entity will show the record, it may
 * only have fields of that view: a count has no picked quantities. Throws `SERVICE_INVALID_BODY` for the first other field that
 * has a value.
 */
export function checkViewFields(entities: Readonly<Record<string, Entity>>, entity: Entity, body: Input): void {
  for (const view of Object.values(entities)) {
    const [member, ...others] = view.view ?? [];
    if (member?.entity !== entity.name || others.length > 0 || !contains(member, body)) continue;
    const place = foreignField(view.fields, body);
    if (place !== undefined) throw refused(place, member, view);
  }
}

function contains({ where }: ViewMember, body: Input): boolean {
  return Object.entries(where).every(([name, value]) => body[name] === value);
}

/** Path of the first value that does not belong to any of the fields, such as `lines/0/pickedQuantity`. */
function foreignField(fields: readonly Field[], body: Input): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    const field = fields.find((each) => each.name === name);
    if (!field?.writable) return name;
    if (field.kind !== 'objects' || !field.fields || !Array.isArray(value)) continue;
    for (const [index, object] of (value as readonly Input[]).entries()) {
      const within = foreignField(field.fields, object);
      if (within !== undefined) return `${name}/${index}/${within}`;
    }
  }
  return undefined;
}

function refused(place: string, { where }: ViewMember, view: Entity): ServiceError {
  const kind = Object.entries(where).map(([name, value]) => `${name} "${value}"`);
  const message = `Records with ${kind.join(' and ')} do not have this field. Leave it out; they have the fields of /${view.collection}.`;
  return requestError('SERVICE_INVALID_BODY', `body/${place}`, message);
}
