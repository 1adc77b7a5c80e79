import { MAPPING_PARTS } from '@unified/connectors';
import { countRawRows, derivedVersion, type FieldMappingRevision, type Store, syncState } from '@unified/store';
import { brokenMapping } from '../model/broken-platform.ts';
import { type ConnectionModel, streamOf } from '../model/connection-model.ts';
import { memoryOf } from '../sync/stream-memory.ts';
import { candidateOf } from './candidate.ts';
import type { MappedConnection } from './mapped-connection.ts';

/** How far the records have been derived by the active mapping. */
export interface Derivation {
  readonly state: 'pending' | 'running' | 'completed';
  readonly rows: number;
  readonly totalRows: number;
}

/** A revision as clients see it. */
export interface ShownMapping
  extends Pick<FieldMappingRevision, 'entity' | 'revision' | 'note' | 'createdBy' | 'createdAt'> {
  readonly isActive: boolean;
  readonly stream: string | null;
  /** Words by field; null if the platform reads the field but this revision does not. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly changedFields: string[];
  readonly parts: Readonly<Record<string, unknown>>;
  readonly problems: { readonly path: string; readonly message: string }[];
  /** Null if the revision is not active. */
  readonly derivation: Derivation | null;
}

/** Number of the active revision of an entity. */
export function activeRevisionOf({ model }: Pick<MappedConnection, 'model'>, entity: string): number {
  return Object.hasOwn(model.revisions, entity) ? (model.revisions[entity] ?? 0) : 0;
}

/** Revision 0, which is the mapping of the platform. */
export function platformRevision({ connection }: MappedConnection, entity: string): FieldMappingRevision {
  const { createdAt } = connection;
  return { entity, revision: 0, change: { fields: {} }, note: null, createdBy: null, createdAt };
}

/** A revision with everything that follows from it. */
export async function shownMapping(
  store: Store,
  mapped: MappedConnection,
  saved: FieldMappingRevision,
): Promise<ShownMapping> {
  const { change, ...described } = saved;
  const { entity, revision } = saved;
  const isActive = activeRevisionOf(mapped, entity) === revision;
  const { definition, changedFields, dropped, model } = candidateOf(mapped, entity, change);
  const { stream, fields = {}, ...rest } = definition;
  const parts = Object.fromEntries(MAPPING_PARTS.flatMap((part) => (part in rest ? [[part, rest[part]]] : [])));
  return {
    ...described,
    isActive,
    stream: typeof stream === 'string' ? stream : null,
    fields: { ...(fields as object), ...Object.fromEntries(dropped.map((name) => [name, null])) },
    changedFields: [...changedFields],
    parts,
    problems: problemsOf(model, entity),
    derivation: isActive ? await derivationOf(store, mapped, entity) : null,
  };
}

function problemsOf(model: ConnectionModel, entity: string) {
  const problems = brokenMapping(model, entity)?.problems ?? [];
  return problems.map(({ field, message }) => ({ path: field, message }));
}

/** A worker stores the progress with each batch, and the version once the records of all entities have been derived. */
async function derivationOf(
  store: Store,
  { connection, scope, model }: MappedConnection,
  entity: string,
): Promise<Derivation> {
  const stream = streamOf(model, entity);
  const isDerived = (await derivedVersion(store, connection.id)) === connection.mappingVersion;
  if (!stream) return { state: isDerived ? 'completed' : 'pending', rows: 0, totalRows: 0 };
  const { deriving, mappings } = memoryOf((await syncState(scope, stream.name))?.cursor);
  const hash = model.mappings[entity]?.hash;
  if (deriving && deriving.mappings[entity] === hash)
    return { state: 'running', rows: deriving.rows, totalRows: deriving.totalRows };
  const totalRows = await countRawRows(scope, stream.name);
  if (isDerived) return { state: 'completed', rows: totalRows, totalRows };
  // References of its records, and other entities, may not have been derived yet.
  const isRead = mappings[entity] === hash;
  return { state: isRead ? 'running' : 'pending', rows: isRead ? totalRows : 0, totalRows };
}

/** The streams whose rows must be read again completely, because mappings now need columns that were not copied. */
export function streamsToRead(before: ConnectionModel, after: ConnectionModel): string[] {
  const known = new Map(before.platform.streams.map(({ name, options }) => [name, JSON.stringify(options)]));
  return after.platform.streams
    .filter(({ name, options }) => known.get(name) !== JSON.stringify(options))
    .map(({ name }) => name);
}
