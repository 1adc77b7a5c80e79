import { type Scope, sessionOf } from '../access/scope.ts';
import { bulkStatement } from '../sql/statement.ts';

export type ChangeKind = 'created' | 'updated' | 'deleted';

/** A change to log. */
export interface Addition {
  readonly entity: string;
  readonly id: string;
  readonly kind: ChangeKind;
  /** Names of the fields that changed; empty for a record that was created. */
  readonly fields: readonly string[];
}

/** Logs changes under the numbers that follow `seq`. The caller has locked the cursor of the log. */
export async function appendChanges(scope: Scope, seq: number, changes: readonly Addition[]): Promise<void> {
  if (changes.length === 0) return;
  const statement = bulkStatement(
    `insert into unified.changes (connection_id, seq, entity, id, kind, fields)
     select $1::uuid, $2::bigint + place, entity, id, kind, string_to_array(fields, ' ')
       from unnest($3::text[], $4::uuid[], $5::text[], $6::text[]) with ordinality given(entity, id, kind, fields, place)`,
  );
  await sessionOf(scope).texts(statement, [
    scope.connectionId,
    seq,
    changes.map(({ entity }) => entity),
    changes.map(({ id }) => id),
    changes.map(({ kind }) => kind),
    changes.map(({ fields }) => fields.join(' ')),
  ]);
}
