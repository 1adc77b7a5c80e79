import { isBlank } from '../problem.ts';
import { scalarText } from '../scalar-text.ts';
import type { Read, Word } from '../word.ts';
import { coded } from './codec.ts';

/** `concat`: several values as one text; null and empty values are omitted. */
export function concat(parts: readonly Word[], separator: string): Word {
  const joined = (reads: readonly (Read | null)[]): Read | null => {
    const present = reads.filter((read) => read !== null);
    if (present.length < reads.length) return null;
    return (row, problems) =>
      textOf(
        present.map((read) => read(row, problems)),
        separator,
      );
  };
  return {
    yields: 'text',
    read: joined(parts.map(({ read }) => read)),
    write: null,
    send: joined(parts.map(({ send }) => send)),
    paths: parts.flatMap(({ paths }) => paths),
    written: [],
  };
}

/** `join`: a list in the system as one text. */
export function join(each: Word, separator: string): Word {
  return coded(each, {
    yields: 'text',
    decode: (theirs) => (Array.isArray(theirs) ? textOf(theirs, separator) : undefined),
    encode: (ours) => (ours === null ? [] : (listOf(ours, separator) ?? undefined)),
    complaint: 'The value is not a list.',
  });
}

/** `split`: one text in the system as a list. */
export function split(from: Word, separator: string): Word {
  return coded(from, {
    yields: 'texts',
    decode: (theirs) => (isBlank(theirs) ? [] : (listOf(theirs, separator) ?? undefined)),
    encode: (ours) => (ours === null ? null : Array.isArray(ours) ? textOf(ours, separator) : undefined),
    complaint: 'The value is not text.',
  });
}

function textOf(values: readonly unknown[], separator: string): string | null {
  const texts = values.map((value) => scalarText(value)?.trim()).filter((text) => text);
  return texts.length > 0 ? texts.join(separator) : null;
}

function listOf(value: unknown, separator: string): string[] | null {
  const text = scalarText(value);
  if (text === null) return null;
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
