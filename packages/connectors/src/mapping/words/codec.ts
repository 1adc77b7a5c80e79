import type { Word, Write, Yield } from '../word.ts';

/** A word that turns one value of the system into one of ours and back. Null stays null unless `decode` says otherwise. */
export interface Codec {
  readonly yields: Yield;
  /** Theirs -> ours; null where it makes no sense. */
  readonly decode: (theirs: unknown) => unknown;
  /** Ours -> theirs; undefined when the system cannot hold the value. */
  readonly encode: (ours: unknown) => unknown;
}

/** Puts a codec on top of the word that it works on. */
export function coded(from: Word, { yields, decode, encode }: Codec): Word {
  const { read, send } = from;
  return {
    yields,
    paths: from.paths,
    read: read && ((row) => decode(read(row))),
    write: from.write && encoding(from.write, encode),
    send: send && ((input) => encode(send(input)) ?? null),
  };
}

function encoding(write: Write, encode: Codec['encode']): Write {
  return (value, out, name, unsupported) => {
    const theirs = encode(value);
    if (theirs === undefined) unsupported.push(name);
    else write(theirs, out, name, unsupported);
  };
}
