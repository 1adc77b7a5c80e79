import type { Entity } from '@unified/contract';
import { tableOf } from '../tables/derive-table.ts';

/** The records that a token can read. What is logged about them is shown to it as well. */
export interface ShownRecords {
  /** Entities whose records are all included. */
  readonly entities: readonly string[];
  /** Views of part of an entity. Only the records in the view are included. */
  readonly views: readonly Entity[];
}

/** SQL condition that is true if a view contains the record of connection `$1` whose id is the result of the SQL `id`. */
export function isInView(view: Entity, id: string): string {
  return `exists (select from ${tableOf(view)} as shown where shown.connection_id = $1 and shown.id = ${id})`;
}
