/** A value of a statement. All values are sent as text; the statement declares their types. */
export type Parameter = string | number | boolean | null | Date | readonly (string | null)[];

/** The text form that PostgreSQL reads. */
export function toText(value: Parameter): string | null {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayText(value);
  return String(value);
}

/** An array as PostgreSQL writes it: `{"a","b\"c",NULL}`. */
export function arrayText(values: readonly (string | null)[]): string {
  let text = '{';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ',';
    const value = values[index];
    text += value === null || value === undefined ? 'NULL' : quoted(value);
  }
  return `${text}}`;
}

const SPECIAL = /["\\\0]/;

/** PostgreSQL has no NUL in texts; in arrays, which contain values of connected systems, it is left out. */
function quoted(value: string): string {
  return SPECIAL.test(value) ? `"${value.replaceAll('\0', '').replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL reads a text as a UUID; it would refuse the statement otherwise. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
