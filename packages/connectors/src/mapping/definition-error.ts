/** An error at one place of a mapping or platform file. */
export interface DefinitionProblem {
  readonly file: string;
  /** Path within the file, such as `fields.name`; '' for the whole file. */
  readonly field: string;
  readonly message: string;
}

/** Mapping or platform files that cannot be used, with all errors in them. */
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

/** Runs all steps, even after one has failed. Throws one `DefinitionError` with all errors. */
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

/** Runs a step; its errors are added to `problems`, and its result is then undefined. */
export function attempt<T>(problems: DefinitionProblem[], step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
