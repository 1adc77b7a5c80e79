import { TrytonWarning } from './response.ts';
import type { TrytonSession } from './tryton-session.ts';
import type { Wire } from './wire.ts';

/** Maximum number of warnings per call, so that a call with a recurring warning ends. */
const MOST_WARNINGS = 10;

/** Calls that change something. A warning from Tryton rejects the call unless the platform confirms the warning. */
export class ChangingCalls {
  readonly #session: TrytonSession;
  readonly #confirmed: readonly string[];

  /** `confirmed`: prefixes of the keys of warnings that are confirmed automatically. */
  constructor(session: TrytonSession, confirmed: readonly string[]) {
    this.#session = session;
    this.#confirmed = confirmed;
  }

  async call(model: string, method: string, params: readonly Wire[]): Promise<Wire> {
    for (let met = 0; ; met += 1) {
      try {
        return await this.#session.call(model, method, params, { changes: true });
      } catch (error) {
        if (!(error instanceof TrytonWarning) || met >= MOST_WARNINGS || !this.#mayConfirm(error.key)) throw error;
        await this.#confirm(error.key);
      }
    }
  }

  #mayConfirm(key: string): boolean {
    return this.#confirmed.some((beginning) => key.startsWith(beginning));
  }

  /** Creates the record that Tryton looks for, and removes, when the call is repeated. */
  async #confirm(name: string): Promise<void> {
    const user = await this.#session.userId();
    await this.#session.call('res.user.warning', 'create', [[{ user, name, always: false }]]);
  }
}
