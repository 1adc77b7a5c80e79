import pg from 'pg';

/** Makes a database unless it exists, as a copy of `template` when given, and gives its connection URL. */
export async function createDatabase(
  urlOf: (database: string) => string,
  name: string,
  template = 'template0',
): Promise<string> {
  await withClient(urlOf('postgres'), async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    const [database, source] = [name, template].map((each) => client.escapeIdentifier(each));
    await client.query(`create database ${database} template ${source}`);
  });
  return urlOf(name);
}

/** SQLSTATEs of a server that is there, but lets nobody in now: it starts or stops, or has no connection left. */
const NOT_NOW = ['57P03', '53300'];

/**
 * Folder of the server behind a URL: null when nothing answers there or it refuses us, undefined when it cannot say so now.
 */
export async function dataDirectoryOf(url: string): Promise<string | null | undefined> {
  try {
    return await withClient(url, async (client) => (await client.query('show data_directory')).rows[0].data_directory);
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_NOW.includes(error.code ?? '')) return undefined;
    if (error instanceof Error) return null;
    throw error;
  }
}

/** A machine that is busy may take seconds; a server that is taken for dead because of that would be started twice. */
const CONNECT_MS = 60_000;

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
