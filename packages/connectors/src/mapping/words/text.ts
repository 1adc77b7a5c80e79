import { scalarText } from '../scalar-text.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

/** `text`: text without white space around it; empty text is null. */
export function text(from: Word): Word {
  return coded(from, { yields: 'text', decode, encode, complaint: 'The value is not text.' });
}

function decode(theirs: unknown): string | undefined {
  return scalarText(theirs)?.trim() || undefined;
}

function encode(ours: unknown): unknown {
  return ours === null ? null : (scalarText(ours) ?? undefined);
}
