import type { Json } from './json.ts';
import type { Stream } from './platform.ts';

/** The options of a stream with these names in a list of them, in addition to those that it has. */
export function withNames(options: Stream['options'], list: string, names: readonly string[]): Stream['options'] {
  const given = options[list];
  const known: readonly Json[] = Array.isArray(given) ? given : [];
  const added = names.filter((name) => !known.includes(name));
  return added.length === 0 ? options : { ...options, [list]: [...known, ...added] };
}
