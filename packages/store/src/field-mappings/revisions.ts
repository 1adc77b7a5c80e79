import { type Scope, sessionOf } from '../access/scope.ts';

/** A saved revision of the mapping of one entity. */
export interface FieldMappingRevision {
  readonly entity: string;
  /** Counted from 1; 0 is the mapping of the platform, which is not stored. */
  readonly revision: number;
  /** The differences from the mapping of the platform, as they were submitted. */
  readonly change: unknown;
  readonly note: string | null;
  readonly createdBy: string | null;
  readonly createdAt: string;
}

const COLUMNS = 'entity, revision, change, note, "createdBy", "createdAt"';

/** Number of the newest revision of an entity; 0 if none was saved. */
export async function newestRevision(scope: Scope, entity: string): Promise<number> {
  const [row] = await sessionOf(scope).run<{ newest: number }>(
    'select coalesce(max(revision), 0) as newest from unified.field_mappings where connection_id = $1 and entity = $2',
    [scope.connectionId, entity],
  );
  return row?.newest ?? 0;
}

/** Saves the revision after `base`. Null if there is a newer revision, even one that is being saved at the same time. */
export async function addRevision(
  scope: Scope,
  { entity, change, note, createdBy }: Omit<FieldMappingRevision, 'revision' | 'createdAt'>,
  base: number,
): Promise<FieldMappingRevision | null> {
  const [made] = await sessionOf(scope).run<FieldMappingRevision>(
    `insert into unified.field_mappings (connection_id, entity, revision, change, note, "createdBy")
     select $1::uuid, $2::text, $3::int + 1, $4::json, $5::text, $6::text
      where $3::int = (select coalesce(max(revision), 0) from unified.field_mappings where connection_id = $1 and entity = $2)
     on conflict do nothing returning ${COLUMNS}`,
    [scope.connectionId, entity, base, JSON.stringify(change), note, createdBy],
  );
  return made ?? null;
}

/** Revisions of an entity, newest first; only those before a given number. */
export function pageOfRevisions(
  scope: Scope,
  { entity, before, limit }: { readonly entity: string; readonly before?: number | undefined; readonly limit: number },
): Promise<FieldMappingRevision[]> {
  return sessionOf(scope).run<FieldMappingRevision>(
    `select ${COLUMNS} from unified.field_mappings
      where connection_id = $1 and entity = $2 and ($3::int is null or revision < $3) order by revision desc limit $4::int`,
    [scope.connectionId, entity, before ?? null, limit],
  );
}

/** One revision, or null if it does not exist. */
export async function fieldMappingRevision(
  scope: Scope,
  entity: string,
  revision: number,
): Promise<FieldMappingRevision | null> {
  const [found] = await sessionOf(scope).run<FieldMappingRevision>(
    `select ${COLUMNS} from unified.field_mappings where connection_id = $1 and entity = $2 and revision = $3`,
    [scope.connectionId, entity, revision],
  );
  return found ?? null;
}

/** A revision that is or was active. */
export interface ActivatedRevision {
  /** 0 is the mapping of the platform. */
  readonly revision: number;
  /** The differences from the mapping of the platform; null for revision 0. */
  readonly change: unknown;
  /** A different number for every activation; null if the platform was used because nothing had been activated. */
  readonly version: number | null;
}

/** The mapping of an entity that a connection uses, once it has activated one. */
export interface ActiveFieldMapping extends ActivatedRevision {
  readonly entity: string;
  readonly version: number;
  /** What was active until this one was activated; null if that is not known. */
  readonly before: ActivatedRevision | null;
}

/** The active mappings of a connection. Entities that are not listed have always used the mapping of the platform. */
export async function activeFieldMappings(scope: Scope): Promise<ActiveFieldMapping[]> {
  const rows = await sessionOf(scope).run<
    Omit<ActiveFieldMapping, 'before'> & {
      revisionBefore: number | null;
      versionBefore: number | null;
      changeBefore: unknown;
    }
  >(
    `select active.entity, active.revision, active.version, saved.change,
            active."revisionBefore", active."versionBefore", earlier.change as "changeBefore"
       from unified.active_field_mappings active
       left join unified.field_mappings saved on saved.connection_id = active.connection_id
        and saved.entity = active.entity and saved.revision = active.revision
       left join unified.field_mappings earlier on earlier.connection_id = active.connection_id
        and earlier.entity = active.entity and earlier.revision = active."revisionBefore"
      where active.connection_id = $1 order by active.entity`,
    [scope.connectionId],
  );
  return rows.map(({ revisionBefore: revision, versionBefore: version, changeBefore: change, ...active }) => ({
    ...active,
    before: revision === null ? null : { revision, version, change },
  }));
}
