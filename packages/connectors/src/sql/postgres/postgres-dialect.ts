import type { FailureCause, SqlDialect } from '../dialect/sql-dialect.ts';
import { catalog } from './catalog.ts';
import { codeOf, wordsOf } from './failure.ts';
import { openDatabase } from './postgres-database.ts';
import { spell } from './spelling.ts';
import { inFlight } from './transactions-in-flight.ts';
import { writeRefusal } from './write-refusal.ts';

const causes: Readonly<Record<string, FailureCause>> = {
  '22003': 'number-range',
  '23503': 'foreign-key',
  '23505': 'unique-key',
  '57014': 'timeout',
  '3F000': 'no-schema',
};

/** PostgreSQL 15 to 18. */
export const postgresDialect: SqlDialect = {
  name: 'postgres',
  title: 'PostgreSQL',
  lacks: new Set(),
  url: {
    type: 'string',
    pattern: '^postgres(ql)?://',
    examples: ['postgres://user:password@host:5432/database'],
  },
  cursorRule: 'it must be a timestamp, a date or a number',
  defaultSchema: () => 'public',
  open: openDatabase,
  takesRfc3339: true,
  spell,
  catalog,
  inFlight,
  causeOf: (error) => causes[codeOf(error instanceof Error && error.cause ? error.cause : error)] ?? null,
  wordsOf: (error) => wordsOf(error),
  writeRefusal,
};
