import type { Scalar, Vocabulary } from '../definition.ts';
import { isBlank } from '../problem.ts';
import { codeText } from '../scalar-text.ts';
import { refuse, type SchemaPath } from '../schema-path.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

type Options = Pick<Vocabulary['lookup'], 'table' | 'otherwise'>;

/**
 * `lookup`: another value for each listed one, theirs -> ours. A missing value stays missing, even with `otherwise`; blank text
 * is a value if the table lists it. A write uses the first entry with the value.
 */
export function lookup(from: Word, { table, otherwise }: Options, place: SchemaPath): Word {
  const ours = codes(table, place);
  const theirs = new Map<unknown, string | null>();
  for (const [key, value] of Object.entries(table)) if (!theirs.has(value)) theirs.set(value, key);
  if (!theirs.has(null)) theirs.set(null, null);
  const word = coded(from, {
    yields: 'any',
    decode: (value) => {
      const known = ours.get(codeText(value));
      if (known !== undefined) return known;
      return isBlank(value) ? null : otherwise;
    },
    encode: (value) => theirs.get(value),
    complaint: 'The table of `lookup` does not have this value. Add it to the table, or set `otherwise`.',
  });
  const outcomes = new Set([...ours.values(), otherwise].filter((value) => value !== null && value !== undefined));
  const accepts = [...theirs.keys()].filter((value) => value !== null) as Scalar[];
  return { ...word, outcomes: [...outcomes], listsBlank: [...outcomes].includes(''), ...(word.write && { accepts }) };
}

/** The table with normalized keys. */
function codes(table: Options['table'], place: SchemaPath): ReadonlyMap<string | null, Scalar> {
  const ours = new Map<string | null, Scalar>();
  for (const [key, value] of Object.entries(table)) {
    const code = codeText(key);
    if (ours.has(code)) refuse(place, 'The table of `lookup` lists blank text twice');
    ours.set(code, value);
  }
  return ours;
}
