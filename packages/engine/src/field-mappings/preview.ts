import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type CompiledMapping, differingParts, type RawRow, type ValueProblem } from '@unified/connectors';
import { firstField } from '@unified/contract';
import { idsOfRecords, rawRowPages } from '@unified/store';
import { streamOf } from '../model/connection-model.ts';
import { candidateModel, changeOf, type SentMapping } from './candidate.ts';
import type { MappedConnection, MappingParts } from './mapped-connection.ts';
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
const BATCH = 1000;
/** Milliseconds after which a preview ends with the rows that it has compared so far. */
const LONGEST_MS = 20_000;

/**
 * Maps all stored rows by the active mapping and by the sent one, and compares the results. Memory does not depend on the number
 * of rows.
 */
export async function previewOf(
  parts: MappingParts,
  mapped: MappedConnection,
  entity: string,
  { sent, limit }: { readonly sent: SentMapping; readonly limit: number },
): Promise<MappingPreview> {
  const after = await candidateModel(parts, mapped, entity, changeOf(mapped, entity, sent));
  const [before, next] = [mapped.model.mappings[entity], after.mappings[entity]];
  const stream = streamOf(after, entity);
  if (!next || !stream) throw notMapped(mapped, entity);
  const comparison = new Comparison(limit);
  for (const each of readingsOf(before, next)) await compare(mapped, each, comparison);
  const entityOf = mapped.scope.entities[entity];
  const source = before?.stream ?? stream.name;
  const keys = [...new Set(comparison.examples.map(({ key }) => key))];
  const ids = entityOf ? await idsOfRecords(mapped.scope, entityOf, source, keys) : new Map<string, string>();
  return comparison.result(ids);
}

type Read = CompiledMapping['read'];

/** How the rows of a stream are read before and after; undefined if they are not records of the entity. */
interface Readings {
  readonly stream: string;
  readonly before: Read | undefined;
  readonly after: Read | undefined;
}

/** Only what differs is read, unless other rows become records: then all fields may have problems. */
function readingsOf(before: CompiledMapping | undefined, after: CompiledMapping): Readings[] {
  const both = { stream: after.stream, before: before?.read, after: after.read };
  if (before && before.stream !== after.stream)
    return [
      { ...both, stream: before.stream, after: undefined },
      { ...both, before: undefined },
    ];
  const isSameRows = JSON.stringify(before?.definition.where) === JSON.stringify(after.definition.where);
  const parts = before && isSameRows ? differingParts(before, after) : null;
  if (!before || parts === null) return [both];
  return [{ ...both, before: before.parts.reading(parts), after: after.parts.reading(parts) }];
}

async function compare(
  { scope }: MappedConnection,
  { stream, ...readings }: Readings,
  comparison: Comparison,
): Promise<void> {
  for await (const rows of rawRowPages(scope, { stream, after: '', limit: BATCH })) {
    if (comparison.isOver()) return;
    for (const row of rows) comparison.add(row, readings);
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

  add(row: RawRow, { before, after }: Pick<Readings, 'before' | 'after'>): void {
    const problems: ValueProblem[] = [];
    const [was, is] = [before?.(row) ?? null, after?.(row, problems) ?? null];
    this.#totals.rows += 1;
    for (const { field } of problems) this.#field(firstField(field)).problems += 1;
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
