import pg from 'pg';

/** A busy machine may take seconds. A server that is mistaken for dead would be started twice. */
const CONNECT_MS = 60_000;

export interface OwnConnection {
  /** What the server shows it as, in `pg_stat_activity`. */
  readonly name?: string;
  /** Longest time that a statement may take, in milliseconds; by default, any time. */
  readonly statementMs?: number;
}

/**
 * Opens a database connection for `work` and closes it afterwards. Rejects when the connection breaks, or a statement takes longer
 * than allowed.
 */
export async function withConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  { name, statementMs }: OwnConnection = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    ...(name !== undefined && { application_name: name }),
    ...(statementMs !== undefined && { query_timeout: statementMs }),
  });
  let broken: Error | undefined;
  // An error event without a listener would end the process. The current statement rejects, or the next one will.
  client.on('error', (error) => {
    broken = error;
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    if (broken === undefined) await client.end();
  }
}
