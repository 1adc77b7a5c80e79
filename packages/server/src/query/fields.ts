import { type Entity, ServiceError } from '@unified/contract';
import { quoted, suggestion } from '../suggestion.ts';
import type { Expansion } from './expand.ts';

/** Names of the fields that a record is answered with; undefined: all. */
export type FieldSelection = ReadonlySet<string> | undefined;

/**
 * Fields to answer, read from `fields=name,code`. `id` is always among them, and so is what is to be expanded.
 *
 * Throws `SERVICE_INVALID_FIELDS` with the known fields for a name that is none of them.
 */
export function parseFields(entity: Entity, text: string | undefined, expansion: Expansion): FieldSelection {
  if (text === undefined) return undefined;
  const names = text.split(',');
  const unknown = names.find((name) => !Object.hasOwn(entity.field, name));
  if (unknown === undefined) return new Set(['id', ...names, ...expansion.keys()]);
  const allowed = entity.fields.map(({ name }) => name);
  const { advice, detail } = suggestion(unknown, allowed);
  const message = `${entity.name} has no field ${quoted(unknown)}.${advice}`;
  const details = [{ path: 'query/fields', message, ...detail, allowed }];
  throw new ServiceError('SERVICE_INVALID_FIELDS', message, { details });
}
