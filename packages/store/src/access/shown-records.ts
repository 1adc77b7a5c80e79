import type { Entity } from '@unified/contract';
import { tableOf } from '../tables/derive-table.ts';

/** The records that a token shows: what is logged about them is shown as well. */
export interface ShownRecords {
  /** Entities of which all records are included. */
  readonly entities: readonly string[];
  /** Views of a part of an entity, whose records are included. */
  readonly views: readonly Entity[];
}

/** SQL of the condition that a view has the record of the connection `$1` with the id that this SQL returns. */
export function isInView(view: Entity, id: string): string {
  return `exists (select from ${tableOf(view)} as shown where shown.connection_id = $1 and shown.id = ${id})`;
}
