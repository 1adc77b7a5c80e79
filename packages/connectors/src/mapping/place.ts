const DEEPEST = 8;

/** Where in which file a word stands, for messages that lead there. */
export interface Place {
  readonly file: string;
  readonly trail: readonly string[];
  /** How many words are around it. */
  readonly depth: number;
}

/** A mapping or platform file that cannot be used; the message names file, field and word. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}

/** The beginning of a file. */
export function top(file: string): Place {
  return { file, trail: [], depth: 0 };
}

/** One step down that is not a word, such as the name of a field. */
export function at(place: Place, step: string): Place {
  return { file: place.file, trail: [...place.trail, step], depth: place.depth };
}

/** One step down into a word. */
export function inside(place: Place, word: string): Place {
  if (place.depth >= DEEPEST) refuse(place, `words are nested more than ${DEEPEST} deep`);
  return { file: place.file, trail: [...place.trail, word], depth: place.depth + 1 };
}

/** Throws a `DefinitionError` that leads to the place. */
export function refuse(place: Place, problem: string): never {
  throw new DefinitionError(`${place.file}: ${place.trail.length > 0 ? `${place.trail.join('.')}: ` : ''}${problem}`);
}
