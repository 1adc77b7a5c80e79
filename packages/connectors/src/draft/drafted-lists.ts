import type { Entity } from '@unified/contract';
import type { Json } from '../json.ts';
import type { Platform } from '../platform.ts';
import type { SystemCatalog } from '../system-catalog.ts';
import { type PlannedTable, tableOf } from './foreign-keys.ts';
import { type MappedTable, matchLists } from './match-lists.ts';
import { keyIn } from './primary-key.ts';
import type { Proposal } from './proposal.ts';

/** The part of a draft that reads lists within the rows. */
interface DraftedLists {
  readonly fields: ReadonlyMap<string, Json>;
  readonly proposals: ReadonlyMap<string, Proposal>;
  /** Names of the lists that these fields read. */
  readonly used: readonly string[];
  readonly unused: readonly string[];
}

/** A table that is drafted, and those that are mapped to records already or at the same time. */
interface DraftedTable {
  readonly entity: Entity;
  readonly table: string;
  readonly platform: Platform;
  readonly planned: readonly PlannedTable[];
}

/** Drafts words for the lists within the rows of a table whose rows are mapped to records. Throws `SystemError`. */
export async function draftedLists(
  catalog: SystemCatalog | undefined,
  { entity, table, platform, planned }: DraftedTable,
): Promise<DraftedLists> {
  const lists = (await catalog?.lists?.(table)) ?? [];
  if (!catalog || lists.length === 0) return { fields: new Map(), proposals: new Map(), used: [], unused: [] };
  const mapped = [...(await plannedTables(catalog, planned)), ...mappedTables(platform)];
  const matches = matchLists(entity, lists, mapped);
  const used = matches.map(({ list }) => list);
  return {
    fields: new Map(matches.map(({ field, word }) => [field, word])),
    proposals: new Map(matches.map(({ field, proposal }) => [field, proposal])),
    used,
    unused: lists.map(({ name }) => name).filter((name) => !used.includes(name)),
  };
}

/** The tables that are drafted at the same time, with the keys that their streams will have. */
async function plannedTables(catalog: SystemCatalog, planned: readonly PlannedTable[]): Promise<MappedTable[]> {
  const tables = planned.map(async ({ table, entity }) => {
    const page = await catalog.columns(table, { from: null });
    return { table, entity: entity.name, key: keyIn(page?.items ?? []).key };
  });
  return Promise.all(tables);
}

/** The tables that the streams of a platform read, by the entities to which they are mapped. */
function mappedTables({ streams, mappings }: Platform): MappedTable[] {
  return Object.values(mappings).flatMap(({ entity, stream: name }) => {
    const stream = streams.find((each) => each.name === name);
    return stream ? [{ table: String(tableOf(stream)), entity, key: stream.key }] : [];
  });
}
