/** Calls back when nothing has been used for a number of milliseconds. Does not keep the process running. */
export class IdleTimer {
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #used = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  /** Call the returned function once, when the use ends. */
  begin(): () => void {
    this.#used += 1;
    clearTimeout(this.#timer);
    return () => {
      this.#used -= 1;
      if (this.#used === 0) this.#timer = setTimeout(this.#onIdle, this.#idleMs).unref();
    };
  }

  /** Does some work, during which it is used. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const end = this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Never calls back again, unless something is used again. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
