import { isWireObject, type Wire } from './wire.ts';

/** Types of Tryton fields with a single plain value. */
export type ScalarType = keyof typeof encoders;

/** A value that does not fit the type of a field. */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
}

/**
 * A plain value as Tryton's JSON-RPC spells it for a field of this type; the inverse of `decodeScalar`. Null stays null.
 *
 * @throws {UnfitValue} when it does not fit the field
 */
export function encodeScalar(type: ScalarType, value: unknown): Wire {
  if (value === null || value === undefined) return null;
  const encoded = encoders[type](value);
  if (encoded === undefined) throw new UnfitValue(`${JSON.stringify(value)} is not a ${type}`);
  return encoded;
}

export function isScalarType(type: string): type is ScalarType {
  return Object.hasOwn(encoders, type);
}

const number = (value: unknown) => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

const integer = (value: unknown) => {
  const found = number(value);
  return Number.isSafeInteger(found) ? found : undefined;
};

const text = (value: unknown) => (typeof value === 'object' ? undefined : String(value));

const encoders = {
  char: text,
  text: text,
  fullText: text,
  selection: text,
  reference: text,
  boolean: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  integer,
  biginteger: integer,
  float: number,
  numeric: decimal,
  date,
  datetime,
  timestamp: datetime,
  time,
  timedelta,
  binary: (value: unknown) => (typeof value === 'string' ? { __class__: 'bytes', base64: value } : undefined),
  multiselection: (value: unknown) => (Array.isArray(value) ? value.map(String) : undefined),
} satisfies Record<string, (value: unknown) => Wire | undefined>;

function decimal(value: unknown): Wire | undefined {
  const numeral = typeof value === 'number' ? String(value) : value;
  const exact = typeof numeral === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(numeral.trim());
  return exact ? { __class__: 'Decimal', decimal: numeral.trim() } : undefined;
}

function date(value: unknown): Wire | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(value)) ?? [];
  return day ? { __class__: 'date', year: Number(year), month: Number(month), day: Number(day) } : undefined;
}

function datetime(value: unknown): Wire | undefined {
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(at.getTime())) return undefined;
  const micros = /\.\d{3}(\d{1,3})/.exec(String(value))?.[1]?.padEnd(3, '0') ?? '000';
  return {
    __class__: 'datetime',
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: at.getUTCMilliseconds() * 1000 + Number(micros),
  };
}

function time(value: unknown): Wire | undefined {
  const [, hour, minute, second = '0'] = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(String(value)) ?? [];
  if (hour === undefined) return undefined;
  return { __class__: 'time', hour: Number(hour), minute: Number(minute), second: Number(second), microsecond: 0 };
}

function timedelta(value: unknown): Wire | undefined {
  if (!isWireObject(value)) return undefined;
  if (Object.values(value).every((part) => part === null)) return null;
  const seconds = (number(value.days ?? 0) ?? Number.NaN) * 86_400 + (number(value.seconds ?? 0) ?? Number.NaN);
  return Number.isFinite(seconds) ? { __class__: 'timedelta', seconds } : undefined;
}
