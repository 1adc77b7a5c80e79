import type { SqlDialect } from './dialect/sql-dialect.ts';

/** The query of a stream: one SELECT for all databases of the platform, or one per dialect, by name. */
export type QueryOption = string | Readonly<Record<string, string>>;

/** The SELECT for a database; undefined if there is none. */
export function queryFor({ name }: Pick<SqlDialect, 'name'>, query: QueryOption | undefined): string | undefined {
  return typeof query === 'object' ? query[name] : query;
}

/** Quoted names, strings and comments. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Whether a text begins like a SELECT, after comments. The database decides whether it is one. */
export function queryStart(text: string): boolean {
  return /^(?:SELECT|WITH|VALUES|\()/i.test(
    text.replace(QUOTED, (part) => (/^(?:--|\/\*)/.test(part) ? ' ' : part)).trim(),
  );
}

/** Why a text cannot be read like a view; null if it can. The database reports all other errors. */
export function queryProblem(text: string): string | null {
  const bare = text.replace(QUOTED, ' ').trim();
  if (!/^(?:SELECT|WITH)\b/i.test(bare)) return 'must be a SELECT';
  if (bare.includes(';')) return 'must be one SELECT, without a semicolon';
  if (/\$\d/.test(bare)) return 'must have no parameters, such as $1';
  return null;
}
