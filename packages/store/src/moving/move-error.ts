import { RemediedError } from '../remedied-error.ts';

/** Why an installation cannot be moved, and what to do about it. Nothing was changed in it. */
export class MoveError extends RemediedError {
  override readonly name = 'MoveError';
}
