import { createHash } from 'node:crypto';
import type { CompiledMapping, Driver, Json, PulledPage, RawRow, Stream, ValueProblem } from '@unified/connectors';
import type { MappedRecord } from '@unified/contract';
import { RecordReferences } from './record-references.ts';

/** The results of one full pass over a stream. The rows themselves are not kept. */
export interface Survey {
  readonly stream: Stream;
  /** Mappings of the stream. */
  readonly mappings: readonly CompiledMapping[];
  /** Keys in the order of the pass, duplicates included. */
  readonly keys: readonly string[];
  /** Hash of the content of the row by key; see `hashOf`. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Keys of rows without a value in the cursor column. */
  readonly withoutCursor: ReadonlySet<string>;
  readonly pages: number;
  /** Whether the pass read the stream to its end. */
  readonly isWhole: boolean;
  /** Records of each entity that were derived from the rows. */
  readonly records: ReadonlyMap<string, number>;
  /** Fields that at least one record has a value for, as `Vendor.name`. */
  readonly filled: ReadonlySet<string>;
  /** The first value with each problem, by `Vendor.name: problem`. */
  readonly problems: ReadonlyMap<string, ValueProblem>;
  readonly references: RecordReferences;
}

export interface SurveyOptions {
  /** Mappings of the stream. */
  readonly mappings: readonly CompiledMapping[];
  /** Maximum number of rows to read. */
  readonly most: number;
}

/** Reads a stream page by page. Throws `SystemError`. */
export async function surveyOf(driver: Driver, stream: Stream, { mappings, most }: SurveyOptions): Promise<Survey> {
  const found = {
    ...{ keys: [] as string[], hashes: new Map<string, string>(), withoutCursor: new Set<string>() },
    ...{ records: new Map<string, number>(), filled: new Set<string>(), problems: new Map<string, ValueProblem>() },
    references: new RecordReferences(),
  };
  let pages = 0;
  let from: Json | null = null;
  do {
    const page: PulledPage = await driver.pull({ stream, from, limit: Math.min(stream.pageSize, most) });
    pages += 1;
    for (const row of page.rows) {
      found.keys.push(row.key);
      found.hashes.set(row.key, hashOf(row, mappings));
      if (hasNoCursor(stream, row)) found.withoutCursor.add(row.key);
      for (const mapping of mappings) derive(mapping, row, found);
    }
    from = page.next;
  } while (from !== null && found.keys.length < most);
  return { stream, mappings, pages, isWhole: from === null, ...found };
}

/** Identifies the content of a row: the records that are derived from it, or the row itself if there is no mapping. */
export function hashOf(row: RawRow, mappings: readonly CompiledMapping[]): string {
  const content = mappings.length > 0 ? mappings.map((mapping) => mapping.read(row)) : row.row;
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function hasNoCursor({ cursor }: Stream, { row }: RawRow): boolean {
  return cursor !== undefined && cursor in row && (row[cursor] === null || row[cursor] === '');
}

function derive(
  mapping: CompiledMapping,
  row: RawRow,
  found: {
    records: Map<string, number>;
    filled: Set<string>;
    problems: Map<string, ValueProblem>;
    references: RecordReferences;
  },
): void {
  const problems: ValueProblem[] = [];
  const record = mapping.read(row, problems);
  if (!record) return;
  found.references.add(mapping.entity, record);
  found.records.set(mapping.entity, (found.records.get(mapping.entity) ?? 0) + 1);
  for (const field of mapping.fields) {
    if (hasValue(record, field)) found.filled.add(`${mapping.entity}.${field}`);
  }
  for (const problem of problems) {
    const place = `${mapping.entity}.${problem.field}: ${problem.message}`;
    if (!found.problems.has(place)) found.problems.set(place, problem);
  }
}

function hasValue({ values, references }: MappedRecord, field: string): boolean {
  const value = (values as Record<string, unknown>)[field] ?? (references as Record<string, unknown>)[field];
  if (value === null || value === undefined || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}
