import type { WordDefinition } from './definition.ts';

/** Every name that `act` of a mapping can yield: the plain text, or the values listed in lookups and constants. */
export function actNames(act: WordDefinition): string[] {
  if (typeof act === 'string') return [act];
  const names: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('const' in value && typeof value.const === 'string') names.push(value.const);
    if ('lookup' in value) names.push(...namesIn(value.lookup));
    for (const inner of Object.values(value)) collect(inner);
  };
  collect(act);
  return [...new Set(names)];
}

/** A lookup writes the keys of its table, which are the values of the system. */
function namesIn(lookup: unknown): string[] {
  const table = typeof lookup === 'object' && lookup !== null && 'table' in lookup ? lookup.table : undefined;
  return typeof table === 'object' && table !== null ? Object.keys(table) : [];
}
