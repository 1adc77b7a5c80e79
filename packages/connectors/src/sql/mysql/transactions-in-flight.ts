import type { Row } from '../../driver.ts';
import { SystemError } from '../../system-error.ts';
import type { Query, TransactionsInFlight } from '../dialect/sql-dialect.ts';

const UNSEEN =
  'The login cannot see the transactions of other users, so changes in transactions longer than cursorOverlapSeconds are ' +
  'found only by the next full pass, and a cursor that is a number makes every pass read the whole table. Grant it PROCESS.';

/** Stands for transactions that the login cannot see. */
const HIDDEN = 'hidden';

const OTHERS = 'FROM information_schema.innodb_trx WHERE trx_mysql_thread_id <> CONNECTION_ID()';

/** Transactions of InnoDB. Tables of other engines have none, so their changes are visible immediately. */
export const inFlight: TransactionsInFlight = {
  async safeInstant(query, overlapSeconds) {
    // The time at which a transaction began is in the zone of the server, whatever the zone of the session.
    const rows = await seen(query, `SELECT MIN(CONVERT_TZ(trx_started, 'SYSTEM', '+00:00')) AS started ${OTHERS}`);
    const [now] = await query('SELECT UTC_TIMESTAMP(6) - INTERVAL $1 SECOND AS at', [overlapSeconds]);
    const started = rows?.[0]?.started ?? null;
    const marks = [started, now?.at ?? null].filter((at) => at !== null).map(String);
    return marks.toSorted()[0] ?? '';
  },
  async ids(query) {
    const rows = await seen(query, `SELECT CONCAT(trx_mysql_thread_id, '/', trx_started) AS id ${OTHERS}`);
    return rows?.map(({ id }) => String(id)) ?? [HIDDEN];
  },
  async notes(query) {
    return (await seen(query, `SELECT 1 AS found ${OTHERS}`)) ? [] : [UNSEEN];
  },
};

/** The server refreshes the list of transactions only if it has not been read for 100 ms. */
const UNTIL_FRESH = 'SELECT SLEEP(0.12) AS waited';

/** Rows about transactions; undefined if the login cannot see them. */
async function seen(query: Query, text: string): Promise<Row[] | undefined> {
  try {
    await query(UNTIL_FRESH);
    return await query(text);
  } catch (error) {
    if (error instanceof SystemError && error.kind === 'forbidden') return undefined;
    throw error;
  }
}
