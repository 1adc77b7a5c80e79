import { createHash } from 'node:crypto';
import type { EdmProperty } from './metadata/metadata.ts';

/** Maximum length of a marker; this many base-32 characters are unique. */
const LONGEST = 26;

/** A text that identifies a create, as long as the property allows: the same for every attempt of the same write. */
export function createdMarker(writeId: string, { maxLength = LONGEST }: Pick<EdmProperty, 'maxLength'>): string {
  const digits = BigInt(`0x${createHash('sha256').update(writeId).digest('hex')}`)
    .toString(32)
    .toUpperCase();
  return digits.slice(0, Math.min(maxLength, LONGEST));
}
