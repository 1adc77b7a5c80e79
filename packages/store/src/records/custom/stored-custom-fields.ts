import { isDeepStrictEqual } from 'node:util';
import type { CustomFieldLimits, Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { BY_ROW } from '../../sql/joint-commits.ts';
import type { Session } from '../../sql/session.ts';
import { LONGEST_INDEXED, tableOf } from '../../tables/derive-table.ts';
import { type CustomType, customSql } from './custom-values.ts';

/** How the values of a custom field are stored, which filters depend on. */
export interface FilteredCustomField {
  readonly name: string;
  readonly type: CustomType;
  readonly isIndexed: boolean;
}

/** A custom field of an entity of one connection. */
export interface StoredCustomField extends FilteredCustomField {
  readonly isWritable: boolean;
  /** Whether every record has a value, so that writes cannot clear it. */
  readonly isRequired: boolean;
  readonly limits: CustomFieldLimits;
}

/** The custom fields of these entities that the last synchronization found, by entity, in the order of the system. */
export async function storedCustomFields(
  scope: Scope,
  entities: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredCustomField[]>> {
  const rows = await sessionOf(scope).run<StoredCustomField & { entity: string }>(
    `select entity, name, type, "isIndexed", "isWritable", "isRequired", limits from unified.custom_fields
      where connection_id = $1 and entity = any($2::text[]) order by entity, place`,
    [scope.connectionId, entities],
  );
  const own = (all: typeof rows) => all.map(({ entity: _, ...field }): StoredCustomField => field);
  return new Map([...Map.groupBy(rows, ({ entity }) => entity)].map(([entity, all]) => [entity, own(all)]));
}

/**
 * Replaces the custom fields of an entity. Values of the records are added to the index if a field becomes indexed or has a new
 * type, and removed from it if a field is no longer indexed.
 */
export async function saveCustomFields(
  scope: Scope,
  entity: Entity,
  fields: readonly StoredCustomField[],
): Promise<void> {
  const before = (await storedCustomFields(scope, [entity.name])).get(entity.name) ?? [];
  if (isDeepStrictEqual(before, fields)) return;
  await scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    const owner = [scope.connectionId, entity.name];
    await session.runBulk('delete from unified.custom_fields where connection_id = $1 and entity = $2', owner);
    await insertFields(session, owner, fields);
    const isKept = ({ name, type, isIndexed }: StoredCustomField) =>
      isIndexed && fields.some((field) => field.name === name && field.type === type && field.isIndexed);
    const kept = new Set(before.filter(isKept).map(({ name }) => name));
    await session.runBulk(
      'delete from unified.custom_values where connection_id = $1 and entity = $2 and name <> all($3::text[])',
      [...owner, [...kept]],
    );
    for (const field of fields) if (field.isIndexed && !kept.has(field.name)) await indexValues(inner, entity, field);
  });
}

async function insertFields(
  session: Session,
  owner: readonly string[],
  fields: readonly StoredCustomField[],
): Promise<void> {
  const column = (of: (field: StoredCustomField) => unknown) => fields.map((field) => String(of(field)));
  await session.runBulk(
    `insert into unified.custom_fields
       (connection_id, entity, name, place, type, "isIndexed", "isWritable", "isRequired", limits)
     select $1::uuid, $2::text, name, place, type, indexed, writable, required, limits
       from unnest($3::text[], $4::text[], $5::boolean[], $6::boolean[], $7::boolean[], $8::jsonb[])
            with ordinality given(name, type, indexed, writable, required, limits, place)
     ${BY_ROW}`,
    [
      ...owner,
      column(({ name }) => name),
      column(({ type }) => type),
      column(({ isIndexed }) => isIndexed),
      column(({ isWritable }) => isWritable),
      column(({ isRequired }) => isRequired),
      column(({ limits }) => JSON.stringify(limits)),
    ],
  );
}

/** Indexes the values of records that were just stored. */
export async function indexChanged(
  scope: Scope,
  entity: Entity,
  indexed: readonly FilteredCustomField[],
  ids: readonly string[],
): Promise<void> {
  if (indexed.length === 0 || ids.length === 0) return;
  await sessionOf(scope).runBulk(
    'delete from unified.custom_values where connection_id = $1 and entity = $2 and id = any($3::uuid[])',
    [scope.connectionId, entity.name, ids],
  );
  for (const field of indexed) await indexValues(scope, entity, field, ids);
}

/** Adds the values of one field to the index, for all records or only for the given ones. */
async function indexValues(
  scope: Scope,
  entity: Entity,
  { name, type }: FilteredCustomField,
  ids?: readonly string[],
): Promise<void> {
  const { value, column } = customSql[type];
  if (column === undefined) return;
  const read = value.replaceAll('?', '$3');
  const stored = column === 'text' ? `left(${read}, ${LONGEST_INDEXED})` : read;
  await sessionOf(scope).runBulk(
    `insert into unified.custom_values (connection_id, entity, name, id, ${column})
     select connection_id, $2::text, $3::text, id, value
       from (select connection_id, id, ${stored} as value from ${tableOf(entity)}
              where connection_id = $1::uuid ${ids ? 'and id = any($4::uuid[])' : ''}) given
      where value is not null
     on conflict (connection_id, entity, id, name) do update set ${column} = excluded.${column}`,
    [scope.connectionId, entity.name, name, ...(ids ? [ids] : [])],
  );
}
