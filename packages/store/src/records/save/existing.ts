import type { Entity, MappedRecord } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { type ByteBudget, bulkStatement } from '../../sql/statement.ts';
import { listFields, tableOf } from '../../tables/derive-table.ts';

/** A stored record. */
export interface Existing {
  readonly id: string;
  readonly doc: string;
  readonly displayValue: string;
  readonly isDeleted: boolean;
  /** Ids in each list of references, in the order of `listFields`. */
  readonly lists: readonly (readonly string[])[];
}

/** Identity of a record over time. PostgreSQL cannot store NUL in texts, so it is removed. */
export function identityOf(record: Pick<MappedRecord, '_source' | '_idValue'>): string {
  const identity = `${record._source}\n${record._idValue}`;
  return identity.includes('\0') ? identity.replaceAll('\0', '') : identity;
}

/**
 * Returns the stored records of a batch, by identity; only some of them if the budget is exceeded. Selects by lists of values,
 * which PostgreSQL always looks up in the index. With a join, it might read all records of the connection.
 */
export async function existing(
  scope: Scope,
  entity: Entity,
  batch: readonly MappedRecord[],
  budget?: ByteBudget,
): Promise<Map<string, Existing>> {
  const lists = listFields(entity).map(({ name }) => `, "${name}"`);
  const statement = bulkStatement(
    `select "_source", "_idValue", id, doc, "_displayValue", "_deletedAt" is not null${lists.join('')} from ${tableOf(entity)}
      where connection_id = $1 and "_idValue" = any($2::text[]) and "_source" = any($3::text[])`,
  );
  const sources = [...new Set(batch.map((record) => record._source))];
  const values = batch.map((record) => record._idValue);
  const rows = await sessionOf(scope).texts(statement, [scope.connectionId, values, sources], budget);
  return new Map(
    rows.map(([_source, _idValue, id, doc, displayValue, isDeleted, ...lists]) => [
      identityOf({ _source: String(_source), _idValue: String(_idValue) }),
      {
        id: String(id),
        doc: String(doc),
        displayValue: String(displayValue),
        isDeleted: isDeleted === 't',
        lists: lists.map(idsOf),
      },
    ]),
  );
}

/** Elements of an array of ids as PostgreSQL writes it: `{0199…,0199…}`. */
function idsOf(array: string | null): readonly string[] {
  return array === null || array === '{}' ? [] : array.slice(1, -1).split(',');
}
