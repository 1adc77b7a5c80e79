import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { SqlDialect } from './dialect/sql-dialect.ts';
import type { GivenStreamOptions } from './options.ts';
import { type QueryOption, queryFor, queryProblem } from './query-text.ts';

const ONLY_READ =
  'has no effect, because rows of a query are only read; remove it, or name a table instead of the query';

/** Problems in streams with a query, each with its place in the file. */
export function queryProblems(
  id: string,
  dialects: readonly SqlDialect[],
  streams: readonly { readonly stream: Stream; readonly options: GivenStreamOptions }[],
): DefinitionProblem[] {
  return streams.flatMap(({ stream: { name }, options }) => {
    const { query } = options;
    if (query === undefined) return [];
    const found = [...textProblems(dialects, query), ...unusedOptions(options).map((field) => [field, ONLY_READ])];
    return found.map(([field, message = '']) => ({
      file: `${id}/platform.yaml`,
      field: `streams.${name}.options.${field}`,
      message,
    }));
  });
}

/** Pairs of a field and a message. */
function textProblems(dialects: readonly SqlDialect[], query: QueryOption): string[][] {
  if (typeof query === 'string') return problemIn('query', query);
  const names = dialects.map(({ name }) => name);
  const missing = dialects.filter((dialect) => queryFor(dialect, query) === undefined);
  return [
    ...missing.map(({ name, title }) => ['query', `has no text for ${title}; add "${name}"`]),
    ...Object.entries(query).flatMap(([name, text]) => {
      const field = `query.${name}`;
      return names.includes(name)
        ? problemIn(field, text)
        : [[field, `is not a dialect of the platform (${names.join(', ')})`]];
    }),
  ];
}

function problemIn(field: string, text: string): string[][] {
  const problem = queryProblem(text);
  return problem === null ? [] : [[field, problem]];
}

/** Options that only tables have. */
function unusedOptions(options: GivenStreamOptions): string[] {
  const own = (['table', 'view', 'content', 'generated', 'actions'] as const).filter(
    (name) => options[name] !== undefined,
  );
  const lists = Object.entries(options.children ?? {}).filter(([, { written }]) => written);
  return [...own, ...lists.map(([name]) => `children.${name}.written`)];
}
