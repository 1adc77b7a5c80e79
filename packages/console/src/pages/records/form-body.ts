import type { FormField } from '../../contract/entity-facts.ts';

/** What a person has entered, by the name of the field. */
export type Entered = Readonly<Record<string, string>>;

/** A field whose text is not a value of its kind. */
export class EntryError extends Error {
  override readonly name = 'EntryError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * The body of a write: only fields whose text differs from the initial one. An emptied field becomes null if it can be null,
 * and is left out otherwise.
 *
 * @param chosen Ids of the records that were chosen for relations, by label.
 * @throws {EntryError} If JSON or a number cannot be read.
 */
export function bodyOfForm(
  fields: readonly FormField[],
  {
    entered,
    initial = {},
    chosen = new Map(),
  }: { entered: Entered; initial?: Entered; chosen?: ReadonlyMap<string, string> },
): Record<string, unknown> {
  const changed = fields.filter(({ name }) => (entered[name] ?? '') !== (initial[name] ?? ''));
  const values = changed.flatMap((field): [string, unknown][] => {
    const text = entered[field.name] ?? '';
    if (text === '') return field.nullable && initial[field.name] !== undefined ? [[field.name, null]] : [];
    return [[field.name, sentValue(field, text, chosen)]];
  });
  return Object.fromEntries(values);
}

function sentValue({ name, kind }: FormField, text: string, chosen: ReadonlyMap<string, string>): unknown {
  if (kind === 'number' || kind === 'integer') {
    const number = Number(text);
    if (Number.isNaN(number)) throw new EntryError(name, `${name} is not a number.`);
    return number;
  }
  if (kind === 'boolean') return text === 'true';
  if (kind === 'datetime') return new Date(text).toISOString();
  if (kind === 'relation') {
    const id = chosen.get(text);
    return id === undefined ? { _displayValue: text } : { id };
  }
  return kind === 'json' ? jsonOf(name, text) : text;
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EntryError(name, `${name}: ${error instanceof Error ? error.message : 'invalid JSON'}`);
  }
}

/** The texts with which a form for an existing record begins. */
export function initialTexts(fields: readonly FormField[], record: Readonly<Record<string, unknown>>): Entered {
  const texts = fields.flatMap(({ name, kind }): [string, string][] => {
    const value = record[name];
    if (value === null || value === undefined) return [];
    if (kind === 'relation') return [[name, String((value as { _displayValue?: unknown })._displayValue ?? '')]];
    if (kind === 'json') return [[name, JSON.stringify(value, null, 2)]];
    return [[name, kind === 'datetime' ? localTime(String(value)) : String(value)]];
  });
  return Object.fromEntries(texts);
}

/** An instant as browsers enter it: local, without an offset. */
function localTime(at: string): string {
  const instant = new Date(at);
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
