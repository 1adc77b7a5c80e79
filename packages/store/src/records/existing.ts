import type { Entity, MappedRecord } from '@unified/contract';
import { tableOf } from '../schema/derive-table.ts';
import { type Scope, sessionOf } from '../scope.ts';
import { fixedStatement } from '../sql/statement.ts';

/** A record that is stored already. */
export interface Existing {
  readonly id: string;
  readonly doc: string;
  readonly displayValue: string;
  readonly isDeleted: boolean;
}

/** What is stored of a batch, by its place in the batch. */
export async function existing(
  scope: Scope,
  entity: Entity,
  batch: readonly MappedRecord[],
): Promise<Map<number, Existing>> {
  const statement = fixedStatement(
    `select given.place, stored.id, stored.doc, stored."_displayValue", stored."_deletedAt" is not null
       from unnest($2::text[], $3::text[]) with ordinality given(source, value, place)
       join ${tableOf(entity)} stored
         on stored.connection_id = $1 and stored."_idValue" = given.value and stored."_source" = given.source`,
  );
  const sources = batch.map((record) => record._source);
  const values = batch.map((record) => record._idValue);
  const rows = await sessionOf(scope).texts(statement, [scope.connectionId, sources, values]);
  return new Map(
    rows.map(([place, id, doc, displayValue, isDeleted]) => [
      Number(place) - 1,
      { id: String(id), doc: String(doc), displayValue: String(displayValue), isDeleted: isDeleted === 't' },
    ]),
  );
}
