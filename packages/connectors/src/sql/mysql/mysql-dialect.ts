import { SystemError } from '../../system-error.ts';
import type { FailureCause, SqlDialect } from '../dialect/sql-dialect.ts';
import { catalog } from './catalog.ts';
import { wordsOf } from './failure.ts';
import { numberOf } from './failure-number.ts';
import { databaseOf } from './mysql-address.ts';
import { openDatabase } from './mysql-database.ts';
import { spell } from './spelling.ts';
import { inFlight } from './transactions-in-flight.ts';
import { writeRefusal } from './write-refusal.ts';

const causes: ReadonlyMap<number, FailureCause> = new Map([
  ...[1216, 1217, 1451, 1452].map((number) => [number, 'foreign-key'] as const),
  ...[1062, 1586].map((number) => [number, 'unique-key'] as const),
  ...[1969, 3024].map((number) => [number, 'timeout'] as const),
  [1049, 'no-schema'],
]);

/** MySQL and MariaDB. */
export const mysqlDialect: SqlDialect = {
  name: 'mysql',
  title: 'MySQL',
  lacks: new Set(['functions', 'sequences', 'highest numbers']),
  url: {
    type: 'string',
    pattern: '^(mysql|mariadb)://',
    examples: ['mysql://user:password@host:3306/database'],
  },
  cursorRule: 'it must be a timestamp, a date or a number',
  defaultSchema: databaseOf,
  open: openDatabase,
  takesRfc3339: false,
  spell,
  catalog,
  inFlight,
  causeOf: (error) => causes.get(numberOf(error instanceof SystemError ? error.cause : error)) ?? null,
  wordsOf,
  writeRefusal,
};
