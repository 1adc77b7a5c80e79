import { entityOf } from '@unified/contract';
import type { Column } from '../driver.ts';
import type { CompiledMapping } from './mapping.ts';
import { hasProperties, pathOfColumn } from './path.ts';

/** A text field that contains the key of another record. */
export interface KeyAsText {
  readonly field: string;
  readonly column: string;
  /** What the key identifies: `party.party`. */
  readonly table: string;
}

/** The text fields of a mapping that read the unchanged number of a column that refers to another record. */
export function keysAsTexts({ entity, definition }: CompiledMapping, columns: readonly Column[]): KeyAsText[] {
  const keys = columns.filter(({ refersTo, scalar }) => refersTo && scalar?.type === 'number');
  const byPath = new Map(keys.map((column) => [pathOfColumn(column.name), column]));
  return Object.entries(definition.fields).flatMap(([field, word]) => {
    const column = byPath.get(pathOf(word) ?? '');
    if (!column?.refersTo || entityOf(entity)?.field[field]?.kind !== 'text') return [];
    return [{ field, column: column.name, table: column.refersTo.table }];
  });
}

/** The path that a word reads without changing the value; undefined for other words. */
function pathOf(word: unknown): string | undefined {
  if (typeof word === 'string') return word;
  return hasProperties(word) ? pathOf(word.read ?? word.text ?? word.from) : undefined;
}
