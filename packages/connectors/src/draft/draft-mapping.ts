import type { Entity } from '@unified/contract';
import type { Driver } from '../driver.ts';
import type { Json } from '../json.ts';
import { namesOfPath, pathOfColumn } from '../mapping/path.ts';
import type { Platform, Stream } from '../platform.ts';
import { openDriver } from '../platforms.ts';
import { protocols } from '../protocols.ts';
import type { SystemColumn } from '../system-catalog.ts';
import { combinedWords } from './draft-parts.ts';
import { draftedWord } from './draft-word.ts';
import { draftedLists } from './drafted-lists.ts';
import { bare, CREATED, UPDATED } from './field-names.ts';
import { keysOfReferred, type PlannedTable, referredEntities } from './foreign-keys.ts';
import { canBeDrafted, type Match, matchColumns } from './match-columns.ts';
import { keyIn } from './primary-key.ts';
import { type Proposal, proposalOf } from './proposal.ts';
import { mayBeText, withTexts } from './text-of-relation.ts';

/** A stream and a mapping that reads it, as suggested by the names, types and values of the columns. */
export interface MappingDraft {
  readonly entity: Entity;
  readonly table: string;
  readonly key: readonly string[];
  /** Whether the system has no primary key for the table, so that the key is a guess. */
  readonly isKeyGuessed: boolean;
  readonly created: string | null;
  /** Path of the column with the time of the last change. */
  readonly updated: string | null;
  /** The name of this column, if the protocol reads changes, so that it may be usable as a cursor of a new stream. */
  readonly cursor: string | null;
  /** Whether the protocol reads all changes by this cursor. Otherwise the system decides whether it can be used. */
  readonly isCursorKnown: boolean;
  /** Path of the column with the time of the last change until there is one; null if the column `updated` always has a time. */
  readonly unchanged: string | null;
  /** Options of the stream; none for most protocols. */
  readonly options: Readonly<Record<string, Json>>;
  /** Words by field, in the order of the document. */
  readonly fields: ReadonlyMap<string, Json>;
  /** Why each of these words was drafted, by field. */
  readonly proposals: ReadonlyMap<string, Proposal>;
  /** Values that no word assigns yet, by field. */
  readonly unassigned: ReadonlyMap<string, readonly string[]>;
  readonly unusedColumns: readonly SystemColumn[];
  /** Names of lists within the rows that no field reads. */
  readonly unusedLists: readonly string[];
  readonly fieldsWithoutColumn: readonly string[];
}

const SAMPLE = 1_000;
const MOST_VALUES = 30;

/** A table, with its columns as the catalog of its system lists them. */
export interface DraftedTable {
  readonly name: string;
  readonly columns: readonly SystemColumn[];
  /** How it is read, if the system does not list its tables. */
  readonly stream?: Stream;
}

/** A system whose tables are drafted. */
interface DraftedSystem {
  readonly platform: Platform;
  readonly settings: Readonly<Record<string, Json>>;
  /** Tables that are drafted at the same time, so that foreign keys can refer to them. */
  readonly planned?: readonly PlannedTable[];
}

/**
 * Drafts the stream and the mapping of a table. Opens a session, and reads up to 1,000 rows if the values of a column decide how it
 * is read. Throws `SystemError`.
 */
export async function draftMapping(
  { platform, settings, planned = [] }: DraftedSystem,
  entity: Entity,
  { name: table, columns: listed, stream: given }: DraftedTable,
): Promise<MappingDraft> {
  const { key, isKeyGuessed } = keyIn(listed);
  const unread: Stream = given ?? { name: table, key, order: 0, deletes: 'none', pageSize: SAMPLE, options: {} };
  const others = given ? platform.streams.filter(({ name }) => name !== table) : [];
  const isAtAddress = given !== undefined && !platform.streams.includes(given);
  const driver = openDriver({ ...platform, streams: [...others, unread], mappings: {} }, settings);
  try {
    const catalog = driver.discover?.catalog;
    const names = listed.map(({ name }) => name);
    const options = (await catalog?.options?.(table)) ?? (await catalog?.optionsFor?.(table, names)) ?? unread.options;
    const stream = { ...unread, options };
    const columns = await withTypes(driver, stream, listed);
    const keys = await keysOfReferred(driver, columns);
    const listedName = catalog?.listedName ?? ((name) => name);
    const referred = referredEntities({ platform, planned, keys, listedName });
    const named = matchColumns(entity, table, columns, referred);
    const values = await sampledValues(driver, stream, named);
    const matches = withTexts(entity, named, values);
    const { used, fields, proposals, ...draft } = assigned(entity, columns, matches, values);
    const lists = await draftedLists(catalog, { entity, table, platform, planned });
    const { parts, times } = protocols[platform.driver] ?? {};
    const hasCursor = parts?.changes !== false;
    const cursor = hasCursor ? draft.updated && (namesOfPath(draft.updated)[0] ?? null) : null;
    const isCursorKnown = cursor !== null && cursor === times?.updated;
    return {
      ...{ table, key, isKeyGuessed: isKeyGuessed || isAtAddress, cursor, isCursorKnown },
      fields: new Map([...fields, ...lists.fields]),
      proposals: new Map([...proposals, ...lists.proposals]),
      unusedLists: lists.unused,
      unchanged: isCursorKnown ? draft.created : null,
      options: (await catalog?.optionsFor?.(table, [...used, ...lists.used])) ?? options,
      ...draft,
    };
  } finally {
    await driver.close();
  }
}

/** Drafts a word for each match, and lists the values, columns and fields that are left over. */
function assigned(
  entity: Entity,
  columns: readonly SystemColumn[],
  matches: readonly Match[],
  values: ReadonlyMap<string, readonly string[]>,
): Omit<
  MappingDraft,
  'table' | 'key' | 'isKeyGuessed' | 'cursor' | 'isCursorKnown' | 'unchanged' | 'options' | 'unusedLists'
> & {
  readonly used: ReadonlySet<string>;
} {
  const fields = new Map<string, Json>();
  const proposals = new Map<string, Proposal>();
  const unassigned = new Map<string, readonly string[]>();
  const created = timeColumn(columns, CREATED);
  const updated = timeColumn(columns, UPDATED);
  const used = new Set([created, updated].filter((name) => name !== null));
  for (const match of matches) {
    const { field, column } = match;
    const known = values.get(column.name) ?? [];
    const drafted = draftedWord(match, known);
    if (drafted) {
      fields.set(field.name, drafted.word);
      proposals.set(field.name, proposalOf(match, known.length, drafted.unassigned.length));
      used.add(column.name);
    }
    const open = drafted ? drafted.unassigned : known;
    if (open.length > 0) unassigned.set(field.name, open);
  }
  for (const { field, word, columns: combined, proposal } of combinedWords(entity, columns, fields, used)) {
    fields.set(field, word);
    proposals.set(field, proposal);
    for (const name of combined) used.add(name);
  }
  const without = entity.fields.filter((field) => canBeDrafted(field) && !fields.has(field.name));
  return {
    ...{ entity, created: pathOf(created), updated: pathOf(updated), fields, proposals, unassigned, used },
    unusedColumns: columns.filter(({ name, keyPosition }) => !used.has(name) && keyPosition === null),
    fieldsWithoutColumn: without.map(({ name }) => name),
  };
}

function pathOf(column: string | null): string | null {
  return column === null ? null : pathOfColumn(column);
}

/** The columns with the types of their values and what they refer to, if the catalog does not list them. */
async function withTypes(
  driver: Driver,
  stream: Stream,
  columns: readonly SystemColumn[],
): Promise<readonly SystemColumn[]> {
  if (columns.every(({ scalar }) => scalar)) return columns;
  const described = new Map((await driver.discover?.columns(stream))?.map((column) => [column.name, column]));
  return columns.map((column) => {
    const { scalar, refersTo } = { ...described.get(column.name), ...column };
    return { ...column, ...(scalar && { scalar }), ...(refersTo && { refersTo }) };
  });
}

function timeColumn(columns: readonly SystemColumn[], names: readonly string[]): string | null {
  const times = columns.filter(({ scalar, form }) => !form && (scalar?.type === 'dateTime' || scalar?.type === 'date'));
  const named = names.flatMap((name) => times.find((column) => bare(column.name) === name) ?? []);
  return named[0]?.name ?? null;
}

/** The values of the columns that decide about a word, in the first rows of the table. */
async function sampledValues(
  driver: Driver,
  stream: Stream,
  matches: readonly Match[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const isDecisive = (match: Match) => match.field.kind === 'enum' || mayBeText(match);
  const listed = matches.filter(isDecisive).map(({ column }) => column.name);
  if (listed.length === 0) return new Map();
  const { rows } = await driver.pull({ stream, from: null, limit: SAMPLE });
  return new Map(listed.map((name) => [name, distinct(rows.map(({ row }) => row[name]))]));
}

function distinct(values: readonly unknown[]): string[] {
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  return [...new Set(texts.filter((text) => text.trim() !== ''))].slice(0, MOST_VALUES).sort();
}
