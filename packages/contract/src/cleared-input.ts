import type { Entity, Field, FieldKind } from './entity.ts';

type Input = Readonly<Record<string, unknown>>;

const LISTS = new Set<FieldKind>(['relations', 'texts', 'objects']);

/**
 * What a PUT body means: every writable field that it leaves out is cleared, to null or, where null is not allowed, to
 * the empty value of its kind. A field that has no empty value, such as a required name or a switch, keeps its value.
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
