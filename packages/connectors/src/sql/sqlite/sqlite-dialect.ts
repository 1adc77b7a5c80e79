import { SystemError } from '../../system-error.ts';
import type { FailureCause, SqlDialect } from '../dialect/sql-dialect.ts';
import { catalog } from './catalog.ts';
import { spell } from './spelling.ts';
import { openDatabase } from './sqlite-database.ts';
import { codeOf, FOREIGN_KEY, StatementTimeout, UNIQUE_KEYS } from './sqlite-failure.ts';
import { writeRefusal } from './write-refusal.ts';

/** SQLite files. */
export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  title: 'SQLite',
  lacks: new Set(['functions', 'sequences', 'time zones', 'contents']),
  url: { type: 'string', pattern: '^(sqlite|file):///', examples: ['sqlite:///folder/database.sqlite'] },
  cursorRule: 'in SQLite, it must be a column of an integer type',
  defaultSchema: () => 'main',
  open: openDatabase,
  takesRfc3339: true,
  spell,
  catalog,
  // One process writes at a time, so no number becomes visible after a higher one.
  inFlight: {
    async safeInstant(query, overlapSeconds) {
      const [row] = await query(`SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', $1) AS at`, [
        `-${overlapSeconds} seconds`,
      ]);
      return String(row?.at);
    },
    ids: async () => [],
    notes: async () => [],
  },
  causeOf,
  wordsOf: (error) => (error instanceof SystemError ? error.words : String(error)),
  writeRefusal,
};

function causeOf(error: unknown): FailureCause | null {
  if (error instanceof SystemError && error.cause instanceof StatementTimeout) return 'timeout';
  const code = codeOf(error);
  if (UNIQUE_KEYS.has(code)) return 'unique-key';
  return code === FOREIGN_KEY ? 'foreign-key' : null;
}
