import type { Word } from './word.ts';

/** Source or destination of a value of a record. */
export interface SourcePath {
  /** Field, with the properties below it: `lines.quantity`. */
  readonly field: string;
  /** Path in the row, through the elements of lists: `positionen.menge`. */
  readonly path: string;
}

/** All paths that a word reads, including those of the properties of its objects. */
export function sourcePaths(field: string, { paths, parts = [], yields }: Word): SourcePath[] {
  const [from] = paths;
  const inner = parts.flatMap(([name, word]) => sourcePaths(`${field}.${name}`, word));
  if (parts.length === 0) return paths.map((path) => ({ field, path }));
  if (yields !== 'objects') return inner;
  return [{ field, path: from ?? '' }, ...inner.map((each) => ({ ...each, path: `${from}.${each.path}` }))];
}

const SECRET = /passw|passwd|pwd|secret|token|api[_-]?key|private[_-]?key|credential|hash|salt|kennwort/i;

/** Whether the name of a path suggests a secret, such as a password. */
export function isSecretPath(path: string): boolean {
  return SECRET.test(path);
}
