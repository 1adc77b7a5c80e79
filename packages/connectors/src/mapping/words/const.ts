import type { Scalar } from '../definition.ts';
import type { Word } from '../word.ts';

/** `const`: always the same value. */
export function constant(value: Scalar): Word {
  const read = () => value;
  return {
    yields: 'any',
    read,
    write: null,
    send: read,
    paths: [],
    written: [],
    outcomes: value === null ? [] : [value],
    listsBlank: value === '',
  };
}
