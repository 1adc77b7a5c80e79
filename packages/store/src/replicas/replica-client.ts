import pg from 'pg';

/** Milliseconds after which a replica that does not respond counts as gone. */
const PATIENCE_MS = 2_000;

/** One database connection for the checks of a replica, which is opened again after it has broken. */
export class ReplicaClient {
  readonly #url: string;
  readonly #onBroken: (error: Error) => void;
  #current: Promise<pg.Client> | undefined;
  #isClosed = false;

  /** `onBroken` is called when the connection breaks, even if no check is in progress. */
  constructor(url: string, onBroken: (error: Error) => void) {
    this.#url = url;
    this.#onBroken = onBroken;
  }

  /** Returns the first row of a statement. Rejects if there is no response in time. */
  async query(text: string): Promise<Readonly<Record<string, unknown>>> {
    if (this.#isClosed) throw new Error('The store is closed.');
    this.#current ??= this.#connect();
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

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'unified replica check',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      keepAlive: true,
    });
    client.on('error', () => {});
    await client.connect();
    client.once('end', () => {
      this.#current = undefined;
      if (!this.#isClosed) this.#onBroken(new Error('the connection was closed'));
    });
    return client;
  }

  #drop(opening: Promise<pg.Client>): void {
    if (this.#current === opening) this.#current = undefined;
    opening.then((client) => client.end()).catch(() => {});
  }
}
