import type { SystemColumn } from '../system-catalog.ts';
import { bare } from './field-names.ts';

/** The primary key. For a view: the column `id`, or else its first column. */
export function keyIn(columns: readonly SystemColumn[]): { key: string[]; isKeyGuessed: boolean } {
  const primary = columns.filter(({ keyPosition }) => keyPosition !== null);
  if (primary.length > 0) return { key: inKeyOrder(primary), isKeyGuessed: false };
  const guessed = columns.find(({ name }) => bare(name) === 'id') ?? columns[0];
  return { key: guessed ? [guessed.name] : [], isKeyGuessed: true };
}

function inKeyOrder(columns: readonly SystemColumn[]): string[] {
  return columns.toSorted((one, other) => (one.keyPosition ?? 0) - (other.keyPosition ?? 0)).map(({ name }) => name);
}
