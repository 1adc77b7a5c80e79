import { unusable } from '../problem.ts';
import type { Read, Word, Write, Yield } from '../word.ts';

/** A word that converts one value of the system to ours and back. Null stays null unless `decode` maps it. */
export interface Codec {
  readonly yields: Yield;
  /** Theirs -> ours; null if there is no value, undefined if the value is invalid. */
  readonly decode: (theirs: unknown) => unknown;
  /** Message for an invalid value: "The value is not a number." */
  readonly complaint: string;
  /** Ours -> theirs; undefined if the system cannot store the value. */
  readonly encode: (ours: unknown) => unknown;
}

/** Combines a codec with the word that it works on. */
export function coded(from: Word, { yields, decode, encode, complaint }: Codec): Word {
  const { read, send } = from;
  return {
    yields,
    paths: from.paths,
    written: from.written,
    read: read && decoding(read, decode, complaint),
    write: from.write && encoding(from.write, encode),
    send: send && ((input) => encode(send(input)) ?? null),
  };
}

function decoding(read: Read, decode: Codec['decode'], complaint: string): Read {
  return (row, problems) => {
    const theirs = read(row, problems);
    const ours = decode(theirs);
    return ours === undefined ? unusable(problems, theirs, complaint) : ours;
  };
}

function encoding(write: Write, encode: Codec['encode']): Write {
  return (value, out, name, unsupported) => {
    const theirs = encode(value);
    if (theirs === undefined) unsupported.push(name);
    else write(theirs, out, name, unsupported);
  };
}
