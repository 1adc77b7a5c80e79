import type { Json } from './json.ts';
import type { Stream } from './platform.ts';

/** The options of a stream, with `names` added to the option `list`. */
export function withNames(options: Stream['options'], list: string, names: readonly string[]): Stream['options'] {
  const given = options[list];
  const known: readonly Json[] = Array.isArray(given) ? given : [];
  const added = names.filter((name) => !known.includes(name));
  return added.length === 0 ? options : { ...options, [list]: [...known, ...added] };
}
