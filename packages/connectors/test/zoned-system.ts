import pg from 'pg';
import type { Intent, PullRequest, Row } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import type { Platform, Stream } from '../src/platform.ts';
import { openSql, type SqlDriver } from '../src/sql/open-sql.ts';

/** Orders and their lines in a database whose clock runs in a zone, stamped by its own `now()`. */
export interface ZonedSystem {
  readonly driver: SqlDriver;
  /** An ordinary client with direct access to the system's tables. */
  readonly client: pg.Client;
  /** Another such client. */
  another(): Promise<pg.Client>;
  readonly orders: Stream;
  /** Keys that a pass finds, page by page, with at most `limit` rows per page. */
  pulled(stream: Stream, since: Json | null, limit?: number): Promise<string[]>;
  row(key: string): Promise<Row>;
  /** The stream with another cursor. */
  by(cursor: string): Stream;
  intent(): Intent;
  close(): Promise<void>;
}

const tables = `
  CREATE TABLE orders (id bigint PRIMARY KEY, name text, ordered timestamp, delivered timestamptz, touched timestamp DEFAULT now(),
    touched_at timestamptz DEFAULT now(), day date DEFAULT current_date, version bigint NOT NULL DEFAULT 0);
  CREATE INDEX ON orders (touched);
  CREATE TABLE lines (id bigint PRIMARY KEY, "order" bigint, kind text DEFAULT 'line', changed timestamp DEFAULT now(), version bigint DEFAULT 0);
  CREATE SEQUENCE versions;
  INSERT INTO orders (id, name, touched, touched_at, day) SELECT n, 'Order ' || n, '2020-01-01', '2020-01-01', '2020-01-01' FROM generate_series(1, 9) AS n;
  INSERT INTO lines (id, "order", changed) SELECT n, n, '2020-01-01' FROM generate_series(1, 9) AS n;`;

/** A separate database on the server at `server`; `options` are those of the stream. */
export async function zonedSystem(
  server: string,
  zone: string,
  options: Readonly<Record<string, Json>> = {},
): Promise<ZonedSystem> {
  const name = `zoned_${zone.replace(/\W/g, '_').toLowerCase()}_${++databases}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.query(`ALTER DATABASE ${name} SET timezone TO '${zone}'`);
  await admin.end();
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const clients: pg.Client[] = [];
  const another = async () => {
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  };
  const client = await another();
  await client.query(tables);
  const orders: Stream = {
    ...{ name: 'orders', key: ['id'], order: 0, cursor: 'touched', deletes: 'diff', pageSize: 100 },
    options: { ...options },
  };
  const platform: Platform = {
    ...{ id: 'zoned', name: 'Zoned', description: '', driver: 'sql', settings: {}, secrets: [], mappings: {} },
    streams: [orders],
    options: { cursorOverlapSeconds: 0 },
    broken: [],
  };
  const driver = openSql(platform, { url });
  let writes = 0;
  return {
    driver,
    client,
    another,
    orders,
    by: (cursor) => ({ ...orders, cursor }),
    async pulled(stream, since, limit = 100) {
      const keys: string[] = [];
      let from: PullRequest['from'] = null;
      do {
        const page = await driver.changes.pull({ stream, since, from, limit });
        keys.push(...page.rows.map(({ key }) => key));
        from = page.next;
      } while (from !== null);
      return keys;
    },
    async row(key) {
      const row = await driver.read(orders, key);
      if (!row) throw new Error(`There is no order ${key}`);
      return row;
    },
    intent: () => ({ writeId: `w${++writes}`, position: null, sentAt: '2026-11-20T06:00:00Z' }),
    async close() {
      await driver.close();
      for (const each of clients) await each.end();
    },
  };
}

let databases = 0;
