import type { PoolConnection } from 'mysql2/promise';
import type { DatabaseOptions } from '../dialect/sql-dialect.ts';

/** Connections of the client that are prepared. */
const prepared = new WeakSet<object>();

/** Maximum size in bytes of the list of one row. More is an error, because the server would cut the list. */
const LONGEST_LIST = 64 * 1024 * 1024;

/**
 * Sets session variables that statements depend on, once per connection: UTC for columns of type `timestamp`, refusal of values
 * that a column would otherwise cut or replace, and the timeout. MySQL itself limits only SELECT, MariaDB every statement.
 */
export async function prepareSession(
  pooled: PoolConnection,
  { statementTimeoutMs, readOnly = false }: Pick<DatabaseOptions, 'statementTimeoutMs' | 'readOnly'>,
): Promise<void> {
  const { connection } = pooled;
  if (prepared.has(connection)) return;
  const [rows] = await pooled.query('SELECT VERSION() AS version');
  const isMariaDb = JSON.stringify(rows).includes('MariaDB');
  const seconds = Math.max(1, Math.ceil(statementTimeoutMs / 1000));
  await pooled.query(
    `SET SESSION time_zone = '+00:00', sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES'),
       group_concat_max_len = ${LONGEST_LIST}, innodb_lock_wait_timeout = ${seconds}, lock_wait_timeout = ${seconds},
       ${isMariaDb ? `max_statement_time = ${statementTimeoutMs / 1000}` : `max_execution_time = ${statementTimeoutMs}`}`,
  );
  if (readOnly) await pooled.query('SET SESSION TRANSACTION READ ONLY');
  prepared.add(connection);
}
