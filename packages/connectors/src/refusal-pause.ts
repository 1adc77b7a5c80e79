import type { SystemError } from './system-error.ts';

/** Further attempts could make the system lock the user or the client out. */
const PAUSE_MS = 60_000;

/** For a minute after credentials were refused, they are not sent again. */
export class RefusalPause {
  #refused: { readonly error: SystemError; readonly until: number } | undefined;

  /** Throws the error of the refusal until the time is up. @throws {SystemError} */
  check(): void {
    if (this.#refused && Date.now() < this.#refused.until) throw this.#refused.error;
  }

  /** Begins with a refusal, and returns its error. */
  begin(error: SystemError): SystemError {
    this.#refused = { error, until: Date.now() + PAUSE_MS };
    return error;
  }
}
