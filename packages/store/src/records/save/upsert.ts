import type { Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { bulkStatement } from '../../sql/statement.ts';
import { tableOf } from '../../tables/derive-table.ts';
import { columnWriters } from './column-values.ts';
import type { Draft } from './draft.ts';
import { perEntity } from './per-entity.ts';

/** A record to store, with its finished document and the number of its last change. */
export interface Finished {
  readonly draft: Draft;
  readonly doc: string;
  readonly version: number;
}

/** Inserts or replaces records in one statement: each column is sent as one array, the documents as one JSON array. */
export async function upsert(scope: Scope, entity: Entity, records: readonly Finished[]): Promise<void> {
  if (records.length === 0) return;
  const columns = columnWriters(entity).map(({ write }) => records.map(({ draft }) => write(draft)));
  const docs = `[${records.map(({ doc }) => doc).join(',')}]`;
  const versions = records.map(({ version }) => String(version));
  await sessionOf(scope).texts(bulkStatement(upsertSql(entity)), [scope.connectionId, ...columns, versions, docs]);
}

const upsertSql = perEntity((entity) => {
  const columns = [...columnWriters(entity), { name: 'version', type: 'bigint' }];
  const names = [...columns.map(({ name }) => `"${name}"`), 'doc'];
  // unnest would flatten arrays of arrays: those travel as text.
  const isArray = (type: string) => type.endsWith('[]');
  const given = columns.map(({ type }, index) => `$${index + 2}::${isArray(type) ? 'text' : type}[]`).join(', ');
  const selected = [...columns.map(({ type }, index) => names[index] + (isArray(type) ? `::${type}` : '')), 'doc'];
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
  // A JSON array needs no escaping of its documents, which are full of quotes.
  const source = `rows from (unnest(${given}), json_array_elements($${columns.length + 2}::json))`;
  return `insert into ${tableOf(entity)} (connection_id, ${names.join(', ')})
    select $1::uuid, ${selected.join(', ')} from ${source} given(${names.join(', ')})
    on conflict (connection_id, id) do update set ${updates.join(', ')}`;
});
