import type { ByteBudget } from '../sql/statement.ts';

/** The part of a shared budget that one attempt uses, which is returned if the attempt fails. */
export class AttemptBudget implements ByteBudget {
  /** Whether this attempt has discarded rows. */
  isExceeded = false;
  readonly #shared: ByteBudget;
  #used = 0;

  constructor(shared: ByteBudget) {
    this.#shared = shared;
  }

  get left(): number {
    return this.#shared.left;
  }

  set left(bytes: number) {
    this.#used += this.#shared.left - bytes;
    this.#shared.left = bytes;
  }

  /** The attempt has succeeded. */
  keep(): void {
    if (this.isExceeded) this.#shared.isExceeded = true;
  }

  /** The attempt has failed, and its rows are not used. */
  refund(): void {
    this.#shared.left += this.#used;
  }
}
