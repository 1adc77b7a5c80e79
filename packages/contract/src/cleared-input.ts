import type { Entity, Field, FieldKind } from './entity.ts';

type Input = Readonly<Record<string, unknown>>;

const LISTS = new Set<FieldKind>(['relations', 'texts', 'objects']);

/**
 * Completes a PUT body: every writable field that is absent is set to null or, if null is not allowed, to the empty
 * value of its kind. A field without an empty value, such as a required name or a boolean, keeps its value.
 */
export function clearedInput(entity: Entity, body: Input): Input {
  const cleared = entity.fields.filter((field) => field.writable && !Object.hasOwn(body, field.name)).flatMap(emptied);
  return { ...Object.fromEntries(cleared), ...body };
}

function emptied(field: Field): [string, unknown][] {
  if (field.name === 'code') return [];
  if (LISTS.has(field.kind)) return [[field.name, []]];
  if (field.nullable) return [[field.name, null]];
  return field.kind === 'text' ? [[field.name, '']] : [];
}
