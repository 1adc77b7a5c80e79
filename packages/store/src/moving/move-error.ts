/** Why an installation cannot be moved, and what to do about it. Nothing was changed in it. */
export class MoveError extends Error {
  override readonly name = 'MoveError';

  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(problem);
    this.remedy = remedy;
  }
}
