import type { TextForm } from '../draft/text-form.ts';
import type { CustomFieldType } from '../mapping/definition.ts';
import { withSignFirst } from '../mapping/scalar-text.ts';
import type { Cell } from './file-record.ts';

/** What the values of a column suggest about it. */
export interface SampledType {
  readonly type: CustomFieldType;
  /** How its texts are written, if a word needs to know. */
  readonly form?: TextForm;
}

/** Digits that a number can have and still be exact; leading zeros show that a value is a code. */
const PLAIN = /^[+-]?(0|[1-9]\d{0,14})(\.\d{1,15})?$/;
const WITH_POINT = /^[+-]?(0|[1-9]\d{0,2}(,\d{3})+|[1-9]\d{0,14})(\.\d{1,15})?$/;
const WITH_COMMA = /^[+-]?(0|[1-9]\d{0,2}(\.\d{3})+|[1-9]\d{0,14})(,\d{1,15})?$/;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const MOMENT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** What exports contain instead of an empty date. */
const NO_DATE = /^0{1,4}([-./])0{1,2}\1(?:0{4}|0{2})$/;

/** Parts of dates with the day first, or the month first. */
const DATES: readonly (readonly [format: string, form: RegExp])[] = [
  ['DD.MM.YYYY', /^(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])\.\d{4}$/],
  ['DD/MM/YYYY', /^(0[1-9]|[12]\d|3[01])\/(0[1-9]|1[0-2])\/\d{4}$/],
  ['MM/DD/YYYY', /^(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])\/\d{4}$/],
  ['DD-MM-YYYY', /^(0[1-9]|[12]\d|3[01])-(0[1-9]|1[0-2])-\d{4}$/],
  ['YYYY/MM/DD', /^\d{4}\/(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])$/],
];

/**
 * The decimal separator of a file: the one that the numbers of a column must have. In a column of `12,000` and `7,500`, it could be
 * either one. Undefined if no column shows it, or columns differ.
 */
export function decimalSeparatorOf(columns: readonly (readonly Cell[])[]): '.' | ',' | undefined {
  const shown = columns.map((cells) => {
    const texts = cells
      .filter((cell) => typeof cell === 'string' && cell.trim() !== '')
      .map((cell) => withSignFirst(String(cell)));
    const [isPoint, isComma] = [WITH_POINT, WITH_COMMA].map((form) => texts.every((text) => form.test(text)));
    return isPoint === isComma ? undefined : isComma ? ',' : '.';
  });
  const [separator, ...others] = new Set(shown.filter((each) => each !== undefined));
  return others.length === 0 ? separator : undefined;
}

/**
 * The type of a column by some of its values. Texts that could be read in two ways are read with the decimal separator of their
 * file; if it is unknown, they stay texts, except for numbers such as `1.234`.
 */
export function sampledType(cells: readonly Cell[], separator?: '.' | ','): SampledType {
  const given = cells.filter((cell) => cell !== null && String(cell).trim() !== '');
  if (given.length === 0) return { type: 'string' };
  if (given.every((cell) => typeof cell === 'boolean')) return { type: 'boolean' };
  const texts = given.map((cell) => withSignFirst(String(cell)));
  const all = (form: RegExp) => texts.every((text) => form.test(text));
  const isText = given.some((cell) => typeof cell === 'string');
  if (isText && separator === ',' && all(WITH_COMMA)) return { type: 'number', form: { decimal: ',' } };
  if (all(PLAIN)) {
    const isOrdinary = given.every((cell) => PLAIN.test(String(cell).trim()));
    return isOrdinary ? { type: 'number' } : { type: 'number', form: { decimal: '.' } };
  }
  if (all(WITH_POINT) && all(WITH_COMMA) && separator === undefined) return { type: 'string' };
  if (all(WITH_POINT)) return { type: 'number', form: { decimal: '.' } };
  if (all(WITH_COMMA)) return { type: 'number', form: { decimal: ',' } };
  return dateType(texts.filter((text) => !NO_DATE.test(text)));
}

function dateType(texts: readonly string[]): SampledType {
  if (texts.length === 0) return { type: 'string' };
  if (texts.every((text) => DAY.test(text))) return { type: 'date' };
  if (texts.every((text) => DAY.test(text) || MOMENT.test(text))) return { type: 'dateTime' };
  const formats = DATES.filter(([, form]) => texts.every((text) => form.test(text))).map(([format]) => format);
  const [date] = formats;
  return date !== undefined && formats.length === 1 ? { type: 'date', form: { date } } : { type: 'string' };
}
