import { randomUUID } from 'node:crypto';
import { CHANGE_CHANNEL } from '../src/changes/change-log.ts';
import { until } from '../src/embedded/until.ts';
import { withConnection } from '../src/sql/own-connection.ts';

/** A change whose cursor is visible before it. */
export interface LateChange {
  /** Makes it visible, without a notification. */
  show(): Promise<void>;
}

/**
 * Moves the cursor of a change log by one, as the first server does that commits a transaction of a distributed database. `url` is
 * for the owner of the tables.
 */
export async function logLate(url: string, connectionId: string): Promise<LateChange> {
  const seq = await moveCursorAlone(url, connectionId);
  const show = (): Promise<void> =>
    withConnection(url, async (client) => {
      await client.query('begin');
      await client.query(
        `insert into unified.changes (connection_id, seq, entity, id, kind, fields) values ($1, $2, 'Vendor', $3, 'deleted', '{}')`,
        [connectionId, seq, randomUUID()],
      );
      await client.query('update unified.change_log_bounds set last = $2, "lastAt" = now() where connection_id = $1', [
        connectionId,
        seq,
      ]);
      await client.query('commit');
    });
  return { show };
}

/** Only moves the cursor. Returns the number of the missing change. */
export function moveCursorAlone(url: string, connectionId: string): Promise<number> {
  return withConnection(url, async (client) => {
    await client.query('begin');
    await client.query('alter table unified.change_cursors disable trigger keep_bounds');
    const { rows } = await client.query<{ seq: string }>(
      'update unified.change_cursors set seq = seq + 1, "changedAt" = now() where connection_id = $1 returning seq',
      [connectionId],
    );
    await client.query('alter table unified.change_cursors enable trigger keep_bounds');
    await client.query('commit');
    return Number(rows[0]?.seq);
  });
}

/** Seconds for a reader on a busy machine. */
const PATIENCE = 60;

/** Sends the notification of a change, and waits until its only reader has read the log. */
export function noticeEarly(url: string, connectionId: string): Promise<void> {
  return withConnection(url, async (client) => {
    const first = async <Value>(query: string, values: readonly unknown[] = []) =>
      (await client.query<{ value: Value }>(query, [...values])).rows[0]?.value ?? null;
    await client.query('begin; lock table unified.change_log_bounds in access exclusive mode');
    await withConnection(url, (other) => other.query('select pg_notify($1, $2)', [CHANGE_CHANNEL, connectionId]));
    const waiting = `select pid as value from pg_locks where not granted and relation = 'unified.change_log_bounds'::regclass`;
    const pid = await until(() => first<number>(waiting), PATIENCE, 'No reader has come.');
    await client.query('commit');
    const idle = `select pid as value from pg_stat_activity where pid = $1 and state = 'idle'`;
    await until(() => first<number>(idle, [pid]), PATIENCE, 'The reader has not ended.');
  });
}
