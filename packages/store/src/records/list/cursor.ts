import type { Entity } from '@unified/contract';
import { invalidCursor } from '../../access/invalid-cursor.ts';
import { isDataError } from '../../sql/failures.ts';
import type { Session } from '../../sql/session.ts';
import { type SortKey, sortName } from './sort-key.ts';

/** Values of the sort keys of the last record of a page, as PostgreSQL writes them. */
export type Position = readonly (string | null)[];

const FORMS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  numeric: /^-?\d+(\.\d+)?$/,
  timestamptz: /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)*( BC)?$/,
  boolean: /^(t|f|true|false)$/,
};

/** An opaque text with the position at which the next page of a sorted list begins. */
export function writeCursor(entity: Entity, keys: readonly SortKey[], position: Position): string {
  return Buffer.from(JSON.stringify([entity.name, sortName(keys), ...position])).toString('base64url');
}

/** Returns the position in a cursor. Throws SERVICE_INVALID_CURSOR when it is damaged or belongs to another list. */
export function readCursor(cursor: string, entity: Entity, keys: readonly SortKey[]): Position {
  const [name, sort, ...position] = parse(cursor);
  const fits = name === entity.name && sort === sortName(keys) && position.length === keys.length;
  if (!fits || !keys.every((key, index) => isValue(key, position[index]))) throw invalidCursor();
  return position as Position;
}

/** Whether PostgreSQL reads the values of a position; one in the right form can still be out of range. */
export async function isReadable(session: Session, keys: readonly SortKey[], position: Position): Promise<boolean> {
  const casts = keys.map(({ type }, index) => `$${index + 1}::${type}`);
  try {
    await session.runBulk(`select ${casts.join(', ')}`, position);
    return true;
  } catch (error) {
    if (isDataError(error)) return false;
    throw error;
  }
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isValue(key: SortKey, value: unknown): boolean {
  if (value === null) return !key.alwaysSet;
  return typeof value === 'string' && !value.includes('\0') && (FORMS[key.type]?.test(value) ?? true);
}
