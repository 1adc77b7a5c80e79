import { DefinitionError } from './definition-error.ts';

const DEEPEST = 8;

/** The position of a keyword in a mapping file, for messages. */
export interface SchemaPath {
  readonly file: string;
  readonly trail: readonly string[];
  /** Number of enclosing words. */
  readonly depth: number;
  /** Entities whose rows are identified by one column; absent if none are known. */
  readonly singleKeys?: ReadonlySet<string>;
}

/** The beginning of a file. */
export function top(file: string): SchemaPath {
  return { file, trail: [], depth: 0 };
}

/** Steps into a part that is not a word, such as the name of a field. */
export function at(place: SchemaPath, step: string): SchemaPath {
  return { ...place, trail: [...place.trail, step] };
}

/** Steps into a word. */
export function inside(place: SchemaPath, word: string): SchemaPath {
  if (place.depth >= DEEPEST) refuse(place, `expressions are nested more than ${DEEPEST} deep`);
  return { ...place, trail: [...place.trail, word], depth: place.depth + 1 };
}

/** Throws a `DefinitionError` with the position. */
export function refuse(place: SchemaPath, message: string): never {
  throw new DefinitionError([{ file: place.file, field: place.trail.join('.'), message }]);
}
