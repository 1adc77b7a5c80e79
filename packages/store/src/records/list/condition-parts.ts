/** What replaces a `?` in the SQL of a condition. */
export type Slot = 'connection' | 'name' | 'value';

/** SQL of a condition, and the parameter that each `?` takes, in order. */
export interface ConditionParts {
  readonly sql: string;
  readonly slots: readonly Slot[];
}

/** SQL in which every `?` stands for the same parameter. */
export function partsWith(slot: Slot, sql: string): ConditionParts {
  return { sql, slots: Array.from(sql.matchAll(/\?/g), () => slot) };
}
