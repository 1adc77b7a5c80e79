import type { KnownLists, Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { ChangingCalls } from './changing-calls.ts';
import type { Completer } from './completer.ts';
import type { Flags } from './flags.ts';
import type { First, Flag, ModelOptions } from './options.ts';
import type { RelatedRecords } from './related-records.ts';
import { firstOf, linesName, type RowReader } from './row-reader.ts';
import type { Schemas } from './schemas.ts';
import type { Existing, ValuesEncoder, WireValues } from './values-encoder.ts';
import type { Wire } from './wire.ts';

/** Dependencies of the writer. */
export interface WriterParts {
  readonly calls: ChangingCalls;
  readonly reader: RowReader;
  readonly flags: Flags;
  readonly related: RelatedRecords;
  readonly schemas: Schemas;
  readonly encoder: ValuesEncoder;
  readonly completer: Completer;
}

/** Creates and changes records of Tryton from the values of a mapping. */
export class RecordWriter {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Creates a record and returns its id. */
  async create(options: ModelOptions, values: Row): Promise<number> {
    const encoded = await this.#encode(options, values, null);
    const known = { ...(await this.#parts.related.defaults(options, encoded)), ...encoded };
    const completed = await this.#parts.completer.complete(options.model, options.completions ?? [], known);
    const created = await this.#parts.calls.call(options.model, 'create', [[completed]]);
    const [id] = Array.isArray(created) ? created : [];
    if (typeof id !== 'number') throw new SystemError('invalid', 'Tryton created a record without an id');
    return id;
  }

  /** Changes the fields that are named, unless the records of a list differ from `known`. `row` is the record as it is now. */
  async update(options: ModelOptions, row: Row, values: Row, known: KnownLists = {}): Promise<void> {
    const id = Number(row.id);
    const { model, completions = [] } = options;
    const encoded = changedIn(row, await this.#encode(options, values, row, known));
    const completed = await this.#parts.completer.completeChange(model, completions, encoded, id);
    if (Object.keys(completed).length > 0) await this.#parts.calls.call(model, 'write', [[id], completed]);
  }

  async #encode(options: ModelOptions, values: Row, row: Row | null, known: KnownLists = {}): Promise<WireValues> {
    const { firsts = {} } = options;
    const flags = this.#parts.flags.of(options.model);
    const plain: Row = {};
    const lists = new Map<string, Wire[]>();
    for (const [name, value] of Object.entries({ ...values, ...followed(options, values, row) })) {
      const first = Object.hasOwn(firsts, name) ? firsts[name] : undefined;
      if (first) addFirst(lists, first, value, row);
      else if (flags.has(name))
        await this.#setFlag(
          lists,
          options.model,
          [name, flags.get(name) ?? {}],
          value === true && row?.[name] !== true,
        );
      else plain[name] = value;
    }
    joinLines(plain, options, row);
    const encoded = await this.#parts.encoder.encode(
      options.model,
      plain,
      row ? this.#existing(options.model, Number(row.id), known) : undefined,
    );
    return { ...encoded, ...Object.fromEntries(lists) };
  }

  /**
   * Sets a flag by adding what it lists. A flag is never cleared, because records that refer to this one would set it
   * again.
   */
  async #setFlag(
    lists: Map<string, Wire[]>,
    model: string,
    [name, { listed }]: readonly [string, Flag],
    isNew: boolean,
  ): Promise<void> {
    if (!isNew) return;
    const target = listed && (await this.#parts.schemas.of(model)).get(listed.in)?.relation;
    if (!target) throw new SystemError('rejected', `"${name}" of ${model} cannot be set`);
    const id = await this.#parts.related.firstOrCreated(target, listed.by, listed.values);
    addStep(lists, listed.in, ['add', [id]]);
  }

  #existing(model: string, id: number, known: KnownLists): Existing {
    return {
      known,
      idsOf: async (list) => {
        const [now] = await this.#parts.reader.search({ model, fields: [list] }, [['id', '=', id]], 1);
        return Array.isArray(now?.[list]) ? now[list].map(Number) : [];
      },
      owned: (child, key) => this.#existing(child, key, {}),
    };
  }
}

/**
 * Values without the relations that the record already has: Tryton refuses some even if they are the same, such as the party of an
 * address, and completes other fields again because of them.
 */
function changedIn(row: Row, encoded: WireValues): WireValues {
  const isSame = (name: string, value: Wire) => typeof value === 'number' && idOf(row[name]) === value;
  return Object.fromEntries(Object.entries(encoded).filter(([name, value]) => !isSame(name, value)));
}

/** The id of a related record, which may have been read with some of its fields. */
function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
}

/** New values for fields that follow a changed field and had the same value until now. */
function followed({ followers = {} }: ModelOptions, values: Row, row: Row | null): Row {
  const equal = Object.entries(followers).filter(([name, of]) => row && of in values && row[name] === row[of]);
  return Object.fromEntries(equal.map(([name, of]) => [name, values[of]]));
}

/** Sets the value of the first matching record of a list: changes it, adds one, or (null) deletes it. */
function addFirst(lists: Map<string, Wire[]>, first: First, value: unknown, row: Row | null): void {
  const current = row && firstOf(row, first);
  const empty = value === null || value === '';
  const text = empty ? null : String(value);
  if (current && empty) addStep(lists, first.of, ['delete', [Number(current.id)]]);
  else if (current) addStep(lists, first.of, ['write', [Number(current.id)], { [first.value]: text }]);
  else if (!empty) addStep(lists, first.of, ['create', [{ ...first.where, [first.value]: text }]]);
}

function addStep(lists: Map<string, Wire[]>, list: string, step: Wire): void {
  lists.set(list, [...(lists.get(list) ?? []), step]);
}

/** Replaces single lines, which a mapping names, in the current text. */
function joinLines(plain: Row, { lines = [] }: ModelOptions, row: Row | null): void {
  for (const field of lines) {
    const name = linesName(field);
    const given = plain[name];
    delete plain[name];
    if (typeof given !== 'object' || given === null) continue;
    const current = Array.isArray(row?.[name]) ? row[name] : [];
    const joined = Object.entries(given).reduce<unknown[]>(
      (all, [place, text]) => {
        all[Number(place)] = text;
        return all;
      },
      [...current],
    );
    plain[field] =
      Array.from(joined, (line) => line ?? '')
        .join('\n')
        .replace(/\n+$/, '') || null;
  }
}
