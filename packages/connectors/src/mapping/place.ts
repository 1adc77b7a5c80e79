const DEEPEST = 8;

/** Where in which file a word stands, for messages that lead there. */
export interface Place {
  readonly file: string;
  readonly trail: readonly string[];
  /** How many words are around it. */
  readonly depth: number;
  /** Entities whose rows are named by one column; absent: none is known. */
  readonly singleKeys?: ReadonlySet<string>;
}

/** What is wrong at one place of a mapping or platform file. */
export interface DefinitionProblem {
  readonly file: string;
  /** Path within the file, such as `fields.name`; '' where the whole file is meant. */
  readonly field: string;
  readonly message: string;
}

/** Mapping or platform files that cannot be used, with everything that was found wrong in them. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  readonly problems: readonly DefinitionProblem[];

  constructor(problems: readonly DefinitionProblem[], options: ErrorOptions = {}) {
    super(problems.map(problemLine).join('\n'), options);
    this.problems = problems;
  }
}

/** `mappings/vendor.yaml: fields.name: …` */
export function problemLine({ file, field, message }: DefinitionProblem): string {
  return [file, field, message].filter(Boolean).join(': ');
}

/** Does all of the steps, also after one was refused. Throws one `DefinitionError` with everything that was refused. */
export function together<T>(steps: Iterable<() => T>): T[] {
  const done: T[] = [];
  const problems: DefinitionProblem[] = [];
  for (const step of steps) {
    try {
      done.push(step());
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new DefinitionError(problems);
  return done;
}

/** Does a step; what it refuses is added to `problems`, and its result is undefined then. */
export function attempt<T>(problems: DefinitionProblem[], step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The beginning of a file. */
export function top(file: string): Place {
  return { file, trail: [], depth: 0 };
}

/** One step down that is not a word, such as the name of a field. */
export function at(place: Place, step: string): Place {
  return { ...place, trail: [...place.trail, step] };
}

/** One step down into a word. */
export function inside(place: Place, word: string): Place {
  if (place.depth >= DEEPEST) refuse(place, `words are nested more than ${DEEPEST} deep`);
  return { ...place, trail: [...place.trail, word], depth: place.depth + 1 };
}

/** Throws a `DefinitionError` that leads to the place. */
export function refuse(place: Place, message: string): never {
  throw new DefinitionError([{ file: place.file, field: place.trail.join('.'), message }]);
}
