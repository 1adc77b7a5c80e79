import type { Schema } from './openapi.ts';

/** The other schema of a property that is either one thing or null; undefined for any other property. */
export function onlyBranch(schema: Schema): Schema | undefined {
  const [only, ...others] = (schema.anyOf ?? schema.oneOf ?? []).filter((branch) => branch.type !== 'null');
  return others.length === 0 ? only : undefined;
}
