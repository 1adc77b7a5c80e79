import { SystemError } from '../../system-error.ts';
import type { SqlDialect } from '../dialect/sql-dialect.ts';
import { catalog } from './catalog.ts';
import { spell } from './spelling.ts';
import { openDatabase } from './sqlite-database.ts';
import { StatementTimeout } from './sqlite-failure.ts';

/** SQLite files, which are only read. */
export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  title: 'SQLite',
  lacks: new Set(['journal', 'functions', 'sequences', 'highest numbers', 'time zones', 'contents', 'writes']),
  url: { type: 'string', pattern: '^(sqlite|file):///', examples: ['sqlite:///folder/database.sqlite'] },
  cursorRule: 'in SQLite, it must be a column of an integer type',
  defaultSchema: () => 'main',
  open: openDatabase,
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
  causeOf: (error) => (error instanceof SystemError && error.cause instanceof StatementTimeout ? 'timeout' : null),
  wordsOf: (error) => (error instanceof SystemError ? error.words : String(error)),
  writeRefusal: async (_, error) => error,
};
