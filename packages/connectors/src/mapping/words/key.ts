import { joinKey, splitKey } from '../../row-key.ts';
import { isBlank, type Problems, unusable } from '../problem.ts';
import { scalarText } from '../scalar-text.ts';
import type { Word, Write } from '../word.ts';

/** Message for a value that cannot be part of a key. */
export const NO_TEXT = 'The value does not name a record: it is not text.';

/**
 * `key`: the `_idValue` of a row that is identified by several columns, as its driver creates it. A blank part belongs to the
 * key. Null if a part is null, or if all parts are blank.
 */
export function key(parts: readonly Word[]): Word {
  const reads = parts.map(({ read }) => read).filter((read) => read !== null);
  const writes = parts.map(({ write }) => write).filter((write) => write !== null);
  return {
    yields: 'text',
    paths: parts.flatMap(({ paths }) => paths),
    written: writes.length === parts.length ? parts.flatMap(({ written }) => written) : [],
    read:
      reads.length === parts.length
        ? (row, problems) =>
            joined(
              reads.map((read) => read(row, problems)),
              problems,
            )
        : null,
    write: writes.length === parts.length ? taking(writes) : null,
    send: null,
  };
}

function joined(values: readonly unknown[], problems: Problems | undefined): string | null {
  const texts = values.map((value) => scalarText(value) ?? unusable(problems, value, NO_TEXT));
  const parts = texts.filter((text) => text !== null);
  return parts.length < texts.length || parts.every(isBlank) ? null : joinKey(parts);
}

/** Each column gets its part of the key. */
function taking(writes: readonly Write[]): Write {
  return (value, out, name, unsupported) => {
    const parts = typeof value === 'string' ? splitKey(value) : [];
    if (value !== null && parts.length !== writes.length) return void unsupported.push(name);
    for (const [index, write] of writes.entries()) write(parts[index] ?? null, out, name, unsupported);
  };
}
