import pg from 'pg';

/** One database connection for the checks of a replica, which is opened again after it has broken. */
export class ReplicaClient {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #onBroken: (error: Error) => void;
  #current: Promise<pg.Client> | undefined;
  #isClosed = false;

  /** `onBroken` is called when the connection breaks, even if no check is in progress. */
  constructor(url: string, timeoutMs: number, onBroken: (error: Error) => void) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#onBroken = onBroken;
  }

  /** Returns the first row of a statement. Rejects if there is no response in time. */
  async query(text: string): Promise<Readonly<Record<string, unknown>>> {
    if (this.#isClosed) throw new Error('The store is closed.');
    this.#current ??= this.#open();
    const opening = this.#current;
    try {
      const client = await opening;
      const { rows } = await client.query(text);
      return rows[0];
    } catch (error) {
      // A statement that timed out still occupies its connection.
      this.#drop(opening);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#current) this.#drop(this.#current);
  }

  #open(): Promise<pg.Client> {
    const opening = this.#connect();
    const watch = (client: pg.Client) =>
      client.once('end', () => {
        // One that was dropped is not in use.
        if (this.#current !== opening) return;
        this.#current = undefined;
        if (!this.#isClosed) this.#onBroken(new Error('the connection was closed'));
      });
    // The check that opens it reports why it fails.
    opening.then(watch, () => {});
    return opening;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'unified replica check',
      connectionTimeoutMillis: this.#timeoutMs,
      query_timeout: this.#timeoutMs,
      keepAlive: true,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  #drop(opening: Promise<pg.Client>): void {
    if (this.#current === opening) this.#current = undefined;
    opening.then((client) => client.end()).catch(() => {});
  }
}
