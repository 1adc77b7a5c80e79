import { scalarText } from '../scalar-text.ts';
import type { Word } from '../word.ts';

interface Options {
  /** Position of the first character, counted from 1; negative numbers count from the end. */
  readonly start: number;
  /** Number of characters. Defaults to the rest of the text. */
  readonly length?: number;
}

/** `substring`: a part of a text, without white space around it; null if the text is shorter. Cannot be written. */
export function substring(from: Word, { start, length }: Options): Word {
  const { read } = from;
  const partOf = (value: unknown): string | null => {
    const characters = [...(scalarText(value) ?? '')];
    const begin = start > 0 ? start - 1 : Math.max(0, characters.length + start);
    const part = characters.slice(begin, length === undefined ? undefined : begin + length);
    return part.join('').trim() || null;
  };
  return {
    yields: 'text',
    read: read && ((row, problems) => partOf(read(row, problems))),
    write: null,
    send: from.send && ((input, problems) => partOf(from.send?.(input, problems))),
    paths: from.paths,
    written: [],
  };
}
