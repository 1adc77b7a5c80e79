import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CompiledMapping, RawRow, Stream, ValueProblem } from '@unified/connectors';
import { idsOfRecords, rawRowsAfter } from '@unified/store';
import { streamOf } from '../model/connection-model.ts';
import { candidateModel, changeOf, type SentMapping } from './candidate.ts';
import type { MappedConnection } from './mapped-connection.ts';
import { shownFields } from './mapped-row.ts';
import { notMapped } from './test-fetch.ts';

/** A value before and after. */
export interface PreviewedChange {
  /** Null if there is no record yet. */
  readonly id: string | null;
  readonly key: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a mapping would change in the stored records. */
export interface MappingPreview {
  /** Whether all rows were compared. */
  readonly isComplete: boolean;
  /** Number of rows that were compared. */
  readonly rows: number;
  /** Number of records that would differ. */
  readonly records: number;
  readonly created: number;
  readonly deleted: number;
  readonly fields: { readonly field: string; readonly records: number; readonly problems: number }[];
  readonly examples: PreviewedChange[];
}

/** Number of rows that are compared before the event loop gets its turn. */
const BATCH = 500;
/** Milliseconds after which a preview ends with the rows that it has compared so far. */
const LONGEST_MS = 20_000;

/**
 * Maps all stored rows by the active mapping and by the sent one, and compares the results. Memory does not depend on the number
 * of rows.
 */
export async function previewOf(
  mapped: MappedConnection,
  entity: string,
  { sent, limit }: { readonly sent: SentMapping; readonly limit: number },
): Promise<MappingPreview> {
  const after = candidateModel(mapped, entity, changeOf(mapped, entity, sent));
  const [before, next] = [mapped.model.mappings[entity], after.mappings[entity]];
  const stream = streamOf(after, entity);
  if (!next || !stream) throw notMapped(mapped, entity);
  const comparison = new Comparison(limit);
  if (before && before.stream !== next.stream) {
    const earlier = streamOf(mapped.model, entity);
    if (earlier) await compare(mapped, earlier, [before, undefined], comparison);
    await compare(mapped, stream, [undefined, next], comparison);
  } else await compare(mapped, stream, [before, next], comparison);
  const entityOf = mapped.scope.entities[entity];
  const source = before?.stream ?? stream.name;
  const keys = [...new Set(comparison.examples.map(({ key }) => key))];
  const ids = entityOf ? await idsOfRecords(mapped.scope, entityOf, source, keys) : new Map<string, string>();
  return comparison.result(ids);
}

/** The mappings before and after; undefined if the rows are not records of the entity. */
type Mappings = readonly [before: CompiledMapping | undefined, after: CompiledMapping | undefined];

async function compare(
  { scope }: MappedConnection,
  stream: Stream,
  mappings: Mappings,
  comparison: Comparison,
): Promise<void> {
  for (let after = ''; ; ) {
    if (comparison.isOver()) return;
    const rows = await rawRowsAfter(scope, stream.name, after, BATCH);
    for (const row of rows) comparison.add(row, mappings);
    const last = rows.at(-1);
    if (!last) return;
    after = last.key;
    await turn();
  }
}

/** Counts differences, and keeps the first of them. */
class Comparison {
  readonly examples: Omit<PreviewedChange, 'id'>[] = [];
  readonly #most: number;
  readonly #until = performance.now() + LONGEST_MS;
  #isComplete = true;
  readonly #fields = new Map<string, { records: number; problems: number }>();
  readonly #totals = { rows: 0, records: 0, created: 0, deleted: 0 };

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it has taken so long that it ends early. */
  isOver(): boolean {
    if (performance.now() > this.#until) this.#isComplete = false;
    return !this.#isComplete;
  }

  add(row: RawRow, [before, after]: Mappings): void {
    const problems: ValueProblem[] = [];
    const [was, is] = [before?.read(row) ?? null, after?.read(row, problems) ?? null];
    this.#totals.rows += 1;
    for (const { field } of problems) this.#field(field.split('.')[0] ?? field).problems += 1;
    if (was === null && is === null) return;
    if (was === null) this.#totals.created += 1;
    else if (is === null) this.#totals.deleted += 1;
    else this.#differences(row.key, shownFields(was), shownFields(is));
  }

  #differences(key: string, before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): void {
    const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
    let differs = false;
    for (const field of fields) {
      const [was = null, is = null] = [before[field], after[field]];
      if (was === is || isDeepStrictEqual(was, is)) continue;
      differs = true;
      this.#field(field).records += 1;
      if (this.examples.length < this.#most) this.examples.push({ key, field, before: was, after: is });
    }
    if (differs) this.#totals.records += 1;
  }

  #field(name: string): { records: number; problems: number } {
    const known = this.#fields.get(name) ?? { records: 0, problems: 0 };
    this.#fields.set(name, known);
    return known;
  }

  result(ids: ReadonlyMap<string, string>): MappingPreview {
    return {
      isComplete: this.#isComplete,
      ...this.#totals,
      fields: [...this.#fields].map(([field, counts]) => ({ field, ...counts })),
      examples: this.examples.map((example) => ({ id: ids.get(example.key) ?? null, ...example })),
    };
  }
}
