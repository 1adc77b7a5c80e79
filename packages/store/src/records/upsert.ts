import type { Entity } from '@unified/contract';
import { tableOf } from '../schema/derive-table.ts';
import { type Scope, sessionOf } from '../scope.ts';
import { fixedStatement } from '../sql/statement.ts';
import { columnWriters } from './column-values.ts';
import type { Draft } from './draft.ts';

/** A record to store, with its finished document and the number of its last change. */
export interface Finished {
  readonly draft: Draft;
  readonly doc: string;
  readonly version: number;
}

const texts = new WeakMap<Entity, string>();

/** Inserts or replaces records in one statement, each column sent as one array. */
export async function upsert(scope: Scope, entity: Entity, records: readonly Finished[]): Promise<void> {
  if (records.length === 0) return;
  const columns = columnWriters(entity).map(({ write }) => records.map(({ draft }) => write(draft)));
  const docs = records.map(({ doc }) => doc);
  const versions = records.map(({ version }) => String(version));
  const text = texts.get(entity) ?? upsertSql(entity);
  texts.set(entity, text);
  await sessionOf(scope).texts(fixedStatement(text), [scope.connectionId, ...columns, docs, versions]);
}

function upsertSql(entity: Entity): string {
  const columns = [...columnWriters(entity), { name: 'doc', type: 'json' }, { name: 'version', type: 'bigint' }];
  const names = columns.map(({ name }) => `"${name}"`);
  // unnest would flatten arrays of arrays: those travel as text.
  const isArray = (type: string) => type.endsWith('[]');
  const given = columns.map(({ type }, index) => `$${index + 2}::${isArray(type) ? 'text' : type}[]`);
  const selected = columns.map(({ type }, index) => names[index] + (isArray(type) ? `::${type}` : ''));
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`);
  return `insert into ${tableOf(entity)} (connection_id, ${names.join(', ')})
    select $1::uuid, ${selected.join(', ')} from unnest(${given.join(', ')}) given(${names.join(', ')})
    on conflict (connection_id, id) do update set ${updates.join(', ')}`;
}
