import type { ModelOptions } from './options.ts';
import type { FieldSchema, Schemas } from './schemas.ts';

/**
 * Relations to records whose fields the rows contain and that `touchedBy` does not name. `rec_name` can be computed from any field;
 * it is known to contain the name of another record if the field `name` is a relation. Left out are relations that `touchedBy`
 * cannot name, because Tryton cannot search by them, and parts of a list that it names.
 */
export async function unwatched(
  schemas: Schemas,
  { model, fields, firsts = {}, touchedBy = [] }: ModelOptions,
): Promise<string[]> {
  const read = [...fields, ...Object.values(firsts).map(({ of, value }) => `${of}.${value}`)];
  const existing = [...(await schemas.existing(model, read)).keys()];
  const isNamedByOther = existing.includes('rec_name') && (await schemas.asNamed(model)).get('name')?.relation;
  const relations = [...(isNamedByOther ? ['name'] : []), ...existing.flatMap(relationsIn)];
  const watched = await Promise.all(touchedBy.map((path) => relationAt(schemas, model, path)));
  const unnamed = [...new Set(relations)].filter((relation) => !touchedBy.includes(relation));
  const found = await Promise.all(unnamed.map((path) => relationAt(schemas, model, path)));
  const isMissed = ({ parts, owner, relation }: Relation) =>
    parts.every(({ isSearchable }) => isSearchable) &&
    !watched.some((list) => list.isList && list.owner === owner && list.relation === relation);
  return unnamed.filter((_, index) => found[index] && isMissed(found[index]));
}

/** The relations that a path follows: `a.b.name` follows `a` and `a.b`. */
function relationsIn(path: string): string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}

/** A relation of a model or, by its path, of a related record. */
interface Relation {
  readonly parts: readonly FieldSchema[];
  /** The path to the record that has it. */
  readonly owner: string;
  /** The model that it refers to. */
  readonly relation: string | null;
  readonly isList: boolean;
}

async function relationAt(schemas: Schemas, model: string, path: string): Promise<Relation> {
  const names = path.split('.');
  const parts: FieldSchema[] = [];
  let of: string | null = model;
  for (const name of names) {
    const field: FieldSchema | undefined = of === null ? undefined : (await schemas.asNamed(of)).get(name);
    if (field) parts.push(field);
    of = field?.relation ?? null;
  }
  const isList = parts.at(-1)?.type.endsWith('2many') ?? false;
  return { parts, owner: names.slice(0, -1).join('.'), relation: of, isList };
}
