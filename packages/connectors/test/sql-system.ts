import pg from 'pg';
import type { Intent, Row } from '../src/driver.ts';
import type { Platform, Stream } from '../src/platform.ts';
import { openSql, type SqlDriver } from '../src/sql/open-sql.ts';
import { sqlPlatform, tables } from './sql-platform.ts';
import { testDatabase } from './system-database.ts';

/** A small system with a separate database, and the helpers that tests need. */
export interface SqlSystem {
  readonly url: string;
  readonly platform: Platform;
  readonly driver: SqlDriver;
  readonly head: Stream;
  readonly line: Stream;
  /** A client with direct access to the system's tables. */
  readonly client: pg.Client;
  /** An intent that was not used before. */
  intent(): Intent;
  create(values: Row, by?: Intent): Promise<{ key: string }>;
  stop(): Promise<void>;
}

export async function startSqlSystem(): Promise<SqlSystem> {
  const { url, stop } = await testDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(tables);
  const platform = sqlPlatform({ journal: true });
  const [head, line] = platform.streams as [Stream, Stream];
  const driver = openSql(platform, { url });
  let writes = 0;
  const intent = (): Intent => ({ writeId: `w${++writes}`, position: null, sentAt: '2026-11-20T06:00:00Z' });
  return {
    url,
    platform,
    driver,
    head,
    line,
    client,
    intent,
    create: (values, by = intent()) => driver.writes.create(head, values, by),
    async stop() {
      await driver.close();
      await client.end();
      await stop();
    },
  };
}
