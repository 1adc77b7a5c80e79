/** Why something was refused, and what to do about it. */
export abstract class RemediedError extends Error {
  readonly remedy: string;

  constructor(problem: string, remedy: string, options: ErrorOptions = {}) {
    super(problem, options);
    this.remedy = remedy;
  }
}
