import type { Scalar, Vocabulary } from '../definition.ts';
import { isBlank } from '../problem.ts';
import { scalarText } from '../scalar-text.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

/**
 * `lookup`: another value for each listed one, theirs -> ours. No value stays none, also with `otherwise`. Written by the
 * first entry that yields the value.
 */
export function lookup(from: Word, { table, otherwise }: Pick<Vocabulary['lookup'], 'table' | 'otherwise'>): Word {
  const ours = new Map<string | null, Scalar>(Object.entries(table));
  const theirs = new Map<unknown, string | null>();
  for (const [key, value] of Object.entries(table)) if (!theirs.has(value)) theirs.set(value, key);
  if (!theirs.has(null)) theirs.set(null, null);
  const word = coded(from, {
    yields: 'any',
    decode: (value) => {
      const known = ours.get(scalarText(value));
      if (known !== undefined) return known;
      return isBlank(value) ? null : otherwise;
    },
    encode: (value) => theirs.get(value),
    complaint: 'The table of `lookup` does not have this value. Add it to the table, or set `otherwise`.',
  });
  const outcomes = new Set([...ours.values(), otherwise].filter((value) => value !== null && value !== undefined));
  return { ...word, outcomes: [...outcomes] };
}
