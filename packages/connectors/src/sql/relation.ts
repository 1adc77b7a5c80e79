import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import type { Relation, SqlDialect } from './dialect/sql-dialect.ts';

const QUALIFIED = /^(?:(?<schema>"(?:[^"]|"")+"|[^".]+)\.)?(?<name>"(?:[^"]|"")+"|[^".]+)$/;

/**
 * The meaning of `UnitMeasure` or `Production.UnitMeasure` in platform data. Names are case-sensitive, and a part that contains
 * a dot is written in double quotes: `Production."v1.units"`. A name without a schema is in `schema`.
 */
export function relationOf({ spell }: Pick<SqlDialect, 'spell'>, text: string, schema: string): Relation {
  const parts = QUALIFIED.exec(text)?.groups;
  const name = bare(parts?.name ?? text);
  const own = parts?.schema === undefined ? schema : bare(parts.schema);
  return { schema: own, name, sql: `${spell.quote(own)}.${spell.quote(name)}` };
}

/** A SELECT that is read like a view. Its last line can be a comment. */
export function relationOfQuery(select: string): Relation {
  return { schema: '', name: 'the query', sql: `(\n${select}\n)` };
}

/** In readable form: `Production.UnitMeasure`. */
export function nameOf({ schema, name }: Relation): string {
  return schema === '' ? name : `${schema}.${name}`;
}

/** A text that `relationOf` reads as this table, whatever the schema of the stream. */
export function textOf({ schema, name }: Pick<Relation, 'schema' | 'name'>): string {
  return [schema, name].map((part) => (/[".]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.');
}

/** Message for clients if the database lacks a part of the platform; it does not name that part. */
export const LACKS_PART =
  'The connected system lacks a table, column or function of the platform; check the connection';

/**
 * The refusal of a stream that the database does not have as it is defined. Only the users of its own definition learn the names.
 */
export function refusedStream({ name, isCustom }: Pick<Stream, 'name' | 'isCustom'>, words: string): SystemError {
  return new SystemError('rejected', words, { clientWords: isCustom ? `Stream "${name}": ${words}` : LACKS_PART });
}

/** The error for a table or view that the database does not have. */
export function noTable(relation: Relation): string {
  return `There is no table or view ${nameOf(relation)}`;
}

function bare(part: string): string {
  return part.startsWith('"') && part.endsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;
}
