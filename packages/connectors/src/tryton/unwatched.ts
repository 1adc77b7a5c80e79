import type { ModelOptions } from './options.ts';
import type { Schemas } from './schemas.ts';

/**
 * Relations to records whose fields the rows contain and that `touchedBy` does not name. `rec_name` can be computed from any field;
 * it is known to contain the name of another record if the field `name` is a relation.
 */
export async function unwatched(
  schemas: Schemas,
  { model, fields, firsts = {}, touchedBy = [] }: ModelOptions,
): Promise<string[]> {
  const read = [...fields, ...Object.values(firsts).map(({ of, value }) => `${of}.${value}`)];
  const existing = [...(await schemas.existing(model, read)).keys()];
  const isNamedByOther = existing.includes('rec_name') && (await schemas.asNamed(model)).get('name')?.relation;
  const relations = [...(isNamedByOther ? ['name'] : []), ...existing.flatMap(relationsIn)];
  return [...new Set(relations)].filter((relation) => !touchedBy.includes(relation));
}

/** The relations that a path follows: `a.b.name` follows `a` and `a.b`. */
function relationsIn(path: string): string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}
