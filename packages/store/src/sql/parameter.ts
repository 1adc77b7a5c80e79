/**
 * A value of a statement. Values are sent as text, except bytes, which are sent in the binary form of their type. The statement
 * declares the types.
 */
export type Parameter = string | number | boolean | null | Date | Buffer | readonly (string | null)[];

/** The form in which a value is sent. */
export function toSent(value: Parameter): string | Buffer | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
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

/** PostgreSQL cannot store NUL in texts. It is removed from arrays, which contain values of connected systems. */
function quoted(value: string): string {
  return SPECIAL.test(value) ? `"${value.replaceAll('\0', '').replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

const JSON_TYPE = 114;
/** Dimensions, a flag for nulls, the type, and the length and first index of the dimension. */
const ARRAY_HEADER = 20;

/**
 * An array of JSON texts for a parameter of type `json[]`, in binary form: as text, each quote would be escaped, and PostgreSQL
 * would read every document twice.
 */
export function jsonArray(texts: readonly string[]): Buffer {
  const size = texts.reduce((sum, text) => sum + 4 + Buffer.byteLength(text), ARRAY_HEADER);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const number of [1, 0, JSON_TYPE, texts.length, 1]) at = bytes.writeInt32BE(number, at);
  for (const text of texts) {
    const written = bytes.write(text, at + 4);
    bytes.writeInt32BE(written, at);
    at += 4 + written;
  }
  return bytes;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL can read a text as a UUID; otherwise it would refuse the statement. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
