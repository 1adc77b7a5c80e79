import type { Intent } from '../driver.ts';
import type { Query, SqlDialect } from './dialect/sql-dialect.ts';
import type { Journal } from './options.ts';
import { relationOf } from './relation.ts';

/** Records the writes of the service inside the system, in the same transaction. */
export interface WriteJournal {
  /** Key of the row that this write has already created or changed; null if the write has not been carried out. */
  find(query: Query, object: string, writeId: string): Promise<string | null>;
  /** Records the write. A second record of the same write violates the primary key, which rolls back the repeated write. */
  note(query: Query, object: string, key: string, intent: Intent): Promise<void>;
}

/** A journal in a table of the system; `find` and `note` take the connection or transaction to use. */
export function writeJournal(
  dialect: SqlDialect,
  schema: string,
  { table, writeId, object, key }: Journal,
): WriteJournal {
  const { sql: name } = relationOf(dialect, table, schema);
  const { quote, asText } = dialect.spell;
  return {
    async find(query, wanted, id) {
      const [row] = await query(
        `SELECT ${asText(quote(key))} AS ${quote('key')} FROM ${name} WHERE ${quote(writeId)} = $1 AND ${quote(object)} = $2`,
        [id, wanted],
      );
      return row ? String(row.key) : null;
    },
    async note(query, changed, changedKey, intent) {
      await query(`INSERT INTO ${name} (${quote(writeId)}, ${quote(object)}, ${quote(key)}) VALUES ($1, $2, $3)`, [
        intent.writeId,
        changed,
        changedKey,
      ]);
    },
  };
}
