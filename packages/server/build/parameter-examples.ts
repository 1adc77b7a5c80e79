import type { Operation } from '@unified/contract';
import type { Page, PageParameter } from './reference-page.ts';

/** The parts of a page that have parameters. */
type Parameters = Pick<Page, 'paths' | 'components'>;

/**
 * Examples of the parameters in an operation's path, by name, in the order of the path. Throws if one has no example.
 */
export function pathExamples(
  page: Parameters,
  { path, method }: Pick<Operation, 'path' | 'method'>,
): Record<string, unknown> {
  const described = parametersOf(page, { path, method });
  return Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const example = described.find((each) => each.in === 'path' && each.name === name)?.example;
      if (example === undefined) throw new Error(`${method} ${path}: the parameter ${name} has no example.`);
      return [name, example];
    }),
  );
}

/** Examples of the query parameters that an operation needs, by name. Throws if one has no example. */
export function queryExamples(page: Parameters, operation: Pick<Operation, 'path' | 'method'>): Record<string, string> {
  const needed = parametersOf(page, operation).filter((each) => each.in === 'query' && each.required);
  return Object.fromEntries(
    needed.map(({ name = '', example }) => {
      if (example === undefined) throw new Error(`${operation.path}: the parameter ${name} has no example.`);
      return [name, String(example)];
    }),
  );
}

/** Parameters of an operation and of its path, with references resolved. */
export function parametersOf(page: Parameters, { path, method }: Pick<Operation, 'path' | 'method'>): PageParameter[] {
  const item = page.paths[path];
  return [...(item?.parameters ?? []), ...(item?.[method]?.parameters ?? [])].map((each) => known(page, each));
}

function known({ components }: Parameters, parameter: PageParameter): PageParameter {
  const name = parameter.$ref?.split('/').at(-1) ?? '';
  return components.parameters?.[name] ?? parameter;
}
