import type { Row } from '../write-recipe.ts';
import { inText } from './company-rows.ts';

/** A reference in a request, with the code of its target, which some columns contain instead of the number. */
export interface Target {
  readonly id: string;
  readonly _idValue: string;
  readonly _displayValue: string;
  readonly rel: string;
}

/** The expressions of a mapping by field, as its file contains them. */
type Words = Readonly<Record<string, unknown>>;
type Codes = ReadonlyMap<string, string>;

/** The columns in which the company stores the values of a request, as texts. */
export function storedRow(words: Words, body: Row, codes: Codes): Row {
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'customFields') Object.assign(row, inText(value));
    else if (words[name] !== undefined) store(words[name], value, { row, codes });
  }
  return row;
}

interface Place {
  readonly row: Record<string, unknown>;
  readonly codes: Codes;
}

function store(word: unknown, value: unknown, place: Place): void {
  if (typeof word === 'string') {
    place.row[word] = inText(value);
    return;
  }
  const { read, write, ...own } = word as Words;
  const words = write === undefined ? own : { write };
  for (const [kind, options] of Object.entries(words)) formOf(kind)(options as Options, value, place);
}

/** The options of an expression; only the column if it has no others. */
interface Options extends Record<string, unknown> {
  readonly from?: unknown;
}

type Form = (options: Options, value: unknown, place: Place) => void;

function formOf(kind: string): Form {
  const form = FORMS[kind];
  if (!form) throw new Error(`The sandbox uses the expression "${kind}" for the first time. State how it is stored.`);
  return form;
}

/** How a value of the API is stored, by the expression that reads it. */
const FORMS: Readonly<Record<string, Form>> = {
  const: () => undefined,
  write: store,
  text: (options, value, place) => store(columnIn(options), value, place),
  number: inColumn((value, options) => numberText(Number(value), options)),
  date: inColumn((value, { format }) => timeText(String(value), format)),
  datetime: inColumn((value, { format }) => timeText(String(value), format)),
  boolean: inColumn((value, options) => {
    const [listed] = (options[String(value)] as unknown[] | undefined) ?? [value];
    return listed;
  }),
  lookup: inColumn((value, { table }) => theirs(table as Words, value)),
  split: inColumn((value, { separator }) => {
    const parts = value as readonly unknown[];
    return parts.length === 0 ? null : parts.join(String(separator));
  }),
  ref: storeReference,
  refs: ({ by, each }, value, place) => {
    const targets = (value ?? []) as readonly Target[];
    store(
      each,
      targets.map((target) => named(target, by, place.codes)),
      place,
    );
  },
  object: ({ fields }, value, { row, codes }) => {
    const cleared = Object.fromEntries(Object.keys(fields as Words).map((name) => [name, null]));
    Object.assign(row, storedRow(fields as Words, (value as Row | null) ?? cleared, codes));
  },
  list: ({ from, to, fields }, value, { row, codes }) => {
    const elements = (value ?? []) as readonly Row[];
    row[String(to ?? from)] = elements.map((element) => storedRow(fields as Words, element, codes));
  },
  coalesce: (options, value, place) => store((options as unknown as unknown[])[0], value, place),
  flags: (columns, value, { row }) => {
    for (const [flag, column] of Object.entries(columns))
      row[String(column)] = String(((value ?? []) as readonly unknown[]).includes(flag));
  },
};

/** An expression of one column; null is stored as null. */
function inColumn(textOf: (value: unknown, options: Options) => unknown): Form {
  return (options, value, place) => {
    const others = typeof options === 'string' ? {} : options;
    store(columnIn(options), value === null ? null : textOf(value, others), place);
  };
}

function columnIn(options: Options | string): unknown {
  return typeof options === 'string' ? options : options.from;
}

function storeReference({ entity, by, value: column }: Options, value: unknown, place: Place): void {
  const target = value as Target | null;
  store(column, target && named(target, by, place.codes), place);
  // The kind of the target stays when a reference is cleared.
  if (target && typeof entity === 'object') FORMS.lookup?.((entity as { lookup: Options }).lookup, target.rel, place);
}

function named({ id, _idValue, _displayValue }: Target, by: unknown, codes: Codes): string | undefined {
  if (by === '_idValue') return _idValue;
  return by === 'code' ? codes.get(id) : _displayValue;
}

/** The first key of a table that has a value. */
function theirs(table: Words, ours: unknown): string | undefined {
  return Object.entries(table).find(([, value]) => value === ours)?.[0];
}

/** A number in cents, or with a comma. */
function numberText(value: number, { scale, decimal = '.' }: Options): string {
  const text = scale === undefined ? String(value) : String(Math.round(value * 10 ** Number(scale)));
  return text.replace('.', String(decimal));
}

/** A day or a time in UTC in a format such as `DD.MM.YYYY`; without one, as it is. */
function timeText(value: string, format: unknown): string {
  if (format === undefined) return value;
  const [year = '', month = '', day = '', hours = '00', minutes = '00', seconds = '00'] = value.split(/[-T:.Z]/);
  const parts: Readonly<Record<string, string>> = {
    YYYY: year,
    MM: month,
    DD: day,
    hh: hours,
    mm: minutes,
    ss: seconds,
  };
  return String(format).replaceAll(/YYYY|MM|DD|hh|mm|ss/g, (part) => parts[part] ?? '');
}
