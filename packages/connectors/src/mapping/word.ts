import type { Row } from '../driver.ts';
import type { Scalar } from './definition.ts';
import type { Problems } from './problem.ts';

/** The result type of a word, which is compared with the kind of the field. */
export type Yield =
  | 'any'
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'texts'
  | 'object'
  | 'objects'
  | 'reference'
  | 'references';

/** Reads a value from a row; null if there is none, or none that can be used, which it records. Never throws. */
export type Read = (row: Row, problems?: Problems) => unknown;

/**
 * Writes a value to its path in the system. A value that the system does not support is added to `unsupported` as `name`, the
 * field name for the caller ("lines.quantity").
 */
export type Write = (value: unknown, out: Row, name: string, unsupported: string[]) => void;

/** Words by the name of their property. */
export type Words = readonly (readonly [name: string, word: Word])[];

/** A path in the system's rows that a word writes. */
export interface WrittenPath {
  /** Property of the value that it takes: `.quantity`; empty for the value itself. */
  readonly below: string;
  /** Path through the elements of lists: `positionen.menge`. */
  readonly path: string;
}

/** One word of the vocabulary, compiled: how it reads and how it writes. */
export interface Word {
  readonly yields: Yield;
  /** From a row to our value; null if the word only writes. */
  readonly read: Read | null;
  /** From our value back into a row; null if the word only reads. */
  readonly write: Write | null;
  /**
   * From a request to a value of the system (in `onCreate`, `onWrite` and `values` of actions); null if the word cannot be used
   * there.
   */
  readonly send: Read | null;
  /** Paths in the system's rows that the value comes from. */
  readonly paths: readonly string[];
  /** Paths that `write` sets. */
  readonly written: readonly WrittenPath[];
  /** All values that it can return besides null, if known. */
  readonly outcomes?: readonly Scalar[];
  /** All values besides null that `write` accepts, if it accepts only some. */
  readonly accepts?: readonly Scalar[];
  /**
   * Whether the mapping lists the empty text as a result of the word, which makes it a value. Otherwise blank text is not a
   * value.
   */
  readonly listsBlank?: boolean;
  /** For `object` and `list`: the word of each property. */
  readonly parts?: Words;
}
