import type { Field, MappedRecord, Reference } from '@unified/contract';
import type { Existing } from './existing.ts';
import type { Target } from './targets.ts';

/** A reference that matches no record, or more than one, and the field that contains it. */
export interface Unresolved extends Reference {
  readonly field: string;
}

/** A record that is being saved. */
export interface Draft {
  readonly record: MappedRecord;
  readonly id: string;
  /** The stored record; null for a new one. */
  readonly before: Existing | null;
  readonly code: string;
  readonly displayValue: string;
  readonly deletedAt: string | null;
  /** Values of the record. References within objects are already complete. */
  readonly values: MappedRecord['values'];
  /**
   * The target of each reference. For lists, and for fields whose objects contain references, only the targets that were found.
   */
  readonly links: Readonly<Record<string, Target | readonly Target[] | null>>;
  readonly unresolved: readonly Unresolved[];
  createdAt: string;
  updatedAt: string;
}

/**
 * Reads the mapped value of a field; undefined or null if there is none. A required text is never missing: a name defaults to
 * the label, any other text to an empty one.
 */
export function readerOf({ name, kind, required, nullable }: Field): (draft: Draft) => unknown {
  const mapped = ({ values }: Draft) => (Object.hasOwn(values, name) ? values[name] : undefined);
  if (kind !== 'text' || !required || nullable) return mapped;
  return (draft) => textOf(mapped(draft)) ?? (name === 'name' ? draft.displayValue : '');
}

/** A value as text, or null if there is none. Objects have no text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : null;
}

/** A number as JSON and PostgreSQL write it; null for other values. */
export function numberOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  return numberOf(Number(value));
}
