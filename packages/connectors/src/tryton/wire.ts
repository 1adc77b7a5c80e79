/** A value as Tryton's JSON-RPC spells it: JSON, with `{ "__class__": … }` for the types that JSON lacks. */
export type Wire = null | boolean | number | string | readonly Wire[] | WireObject;
export interface WireObject {
  readonly [key: string]: Wire;
}

/** Whether a value is an object on the wire (neither a list nor null). */
export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One scalar on the wire as plain JSON: a Decimal is its text ("358.00"), a date "2026-11-20", a timestamp
 * "2026-11-20T09:30:00.123456Z", a time "09:30:00", a span `{ days, seconds }`, bytes base64. Others are unchanged.
 */
export function decodeScalar(value: Wire): unknown {
  if (!isWireObject(value) || typeof value.__class__ !== 'string') return value;
  const decode = decoders.get(value.__class__);
  return decode ? decode(value) : value;
}

const decoders = new Map<string, (value: WireObject) => unknown>([
  ['Decimal', ({ decimal }: WireObject) => String(decimal)],
  ['date', day],
  ['datetime', (value: WireObject) => `${day(value)}T${clock(value)}Z`],
  ['time', clock],
  ['timedelta', ({ seconds }: WireObject) => span(Number(seconds))],
  ['bytes', ({ base64 }: WireObject) => String(base64).replace(/\s/g, '')],
]);

function day({ year, month, day: date }: WireObject): string {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(date, 2)}`;
}

function clock({ hour, minute, second, microsecond }: WireObject): string {
  const fraction = Number(microsecond ?? 0) === 0 ? '' : `.${padded(microsecond, 6)}`;
  return `${padded(hour, 2)}:${padded(minute, 2)}:${padded(second, 2)}${fraction}`;
}

function padded(value: Wire | undefined, width: number): string {
  return String(value ?? 0).padStart(width, '0');
}

function span(seconds: number): { days: number; seconds: number } {
  const days = Math.floor(seconds / 86_400);
  return { days, seconds: seconds - days * 86_400 };
}
