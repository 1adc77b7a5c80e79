import type { Entity } from '@unified/contract';
import type { Match } from './match-columns.ts';

/** The text field that has the same meaning as a relation, by the name of the relation. */
const TEXTS: Readonly<Record<string, string>> = { paymentTerm: 'terms' };

/** Whether the column of a relation may contain texts instead of keys, which only its values show. */
export function mayBeText({ field, column, referred }: Match): boolean {
  return Object.hasOwn(TEXTS, field.name) && column.scalar?.type === 'string' && referred === undefined;
}

/** Replaces relations whose columns contain several words, such as `Net 30`, by the text fields with the same meaning. */
export function withTexts(
  entity: Entity,
  matches: readonly Match[],
  values: ReadonlyMap<string, readonly string[]>,
): Match[] {
  return matches.flatMap((match) => {
    const hasWords = values.get(match.column.name)?.some((value) => /\S\s+\S/.test(value));
    if (!mayBeText(match) || !hasWords) return match;
    const text = entity.field[TEXTS[match.field.name] ?? ''];
    const isTaken = matches.some(({ field }) => field === text);
    return text && !isTaken ? { ...match, field: text, by: 'synonym' as const } : [];
  });
}
