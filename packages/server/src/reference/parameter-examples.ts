import { type Operation, resolve } from '@unified/contract';
import type { DocumentParameter, ReferenceDocument } from './reference-document.ts';

/** The parts of the document that have parameters. */
type Parameters = Pick<ReferenceDocument, 'paths' | 'components'>;

/**
 * Examples of the parameters in an operation's path, by name, in the order of the path. Throws if one has no example.
 */
export function pathExamples(
  document: Parameters,
  { path, method }: Pick<Operation, 'path' | 'method'>,
): Record<string, unknown> {
  const described = parametersOf(document, { path, method });
  return Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const example = described.find((each) => each.in === 'path' && each.name === name)?.example;
      if (example === undefined) throw new Error(`${method} ${path}: the parameter ${name} has no example.`);
      return [name, example];
    }),
  );
}

/** Examples of the required query parameters of an operation, by name. Throws if one has no example. */
export function queryExamples(
  document: Parameters,
  operation: Pick<Operation, 'path' | 'method'>,
): Record<string, string> {
  const needed = parametersOf(document, operation).filter((each) => each.in === 'query' && each.required);
  return Object.fromEntries(
    needed.map(({ name = '', example }) => {
      if (example === undefined) throw new Error(`${operation.path}: the parameter ${name} has no example.`);
      return [name, String(example)];
    }),
  );
}

/** Parameters of an operation and of its path, with references resolved. */
export function parametersOf(
  document: Parameters,
  { path, method }: Pick<Operation, 'path' | 'method'>,
): DocumentParameter[] {
  const item = document.paths[path];
  return [...(item?.parameters ?? []), ...(item?.[method]?.parameters ?? [])].map((each) =>
    resolve<DocumentParameter>(document, each),
  );
}
