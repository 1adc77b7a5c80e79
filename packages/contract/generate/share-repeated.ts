import { eachChild } from './inline.ts';
import type { Schema } from './openapi.ts';

/** Schemas by name, and a function that replaces their copies with references. */
export interface Sharing {
  readonly schemas: Readonly<Record<string, Schema>>;
  replace(schema: Schema): Schema;
}

/**
 * Collects the objects that appear more than once in these schemas, such as relations and addresses, so that a validator
 * compiles each of them only once and not for every property.
 */
export function shareRepeated(all: readonly Schema[]): Sharing {
  const counts = new Map<string, number>();
  const count = (schema: Schema): Schema => {
    const text = JSON.stringify(schema);
    const seen = counts.get(text) ?? 0;
    counts.set(text, seen + 1);
    return seen === 0 ? eachChild(schema, count) : schema;
  };
  all.forEach(count);
  const names = new Map<string, string>();
  const schemas: Record<string, Schema> = {};
  const replace = (schema: Schema): Schema => {
    const text = JSON.stringify(schema);
    if (!isShareable(schema) || counts.get(text) === 1) return eachChild(schema, replace);
    const name = names.get(text) ?? `Shared${names.size + 1}`;
    names.set(text, name);
    schemas[name] ??= eachChild(schema, replace);
    return { $ref: `#/components/schemas/${name}` };
  };
  return { schemas, replace };
}

/** Objects, and the ids in them, can be shared: the validator copies a schema that contains no reference, even a named one. */
function isShareable({ properties, format }: Schema): boolean {
  return properties !== undefined || format === 'uuid';
}
