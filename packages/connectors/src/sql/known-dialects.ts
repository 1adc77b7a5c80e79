import type { SqlDialect } from './dialect/sql-dialect.ts';
import { mysqlDialect } from './mysql/mysql-dialect.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';

/** The dialects that platforms can name; the first one is the default. */
export const knownDialects: readonly [SqlDialect, ...SqlDialect[]] = [postgresDialect, mysqlDialect, sqliteDialect];

/** The dialects that a platform states: a name, several, or none. */
export function dialectsOf(stated: string | readonly string[] | undefined): readonly SqlDialect[] {
  const names = [stated ?? knownDialects[0].name].flat();
  return knownDialects.filter(({ name }) => names.includes(name));
}

/** The dialect whose addresses look like `url`. If there is none, opening the database reports the error. */
export function dialectFor(url: string, stated: readonly SqlDialect[]): SqlDialect {
  return stated.find((dialect) => new RegExp(dialect.url.pattern).test(url)) ?? stated[0] ?? knownDialects[0];
}
