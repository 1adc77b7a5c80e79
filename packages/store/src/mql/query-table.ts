import type { Entity } from '@unified/contract';
import type { FilteredCustomField } from '../records/custom/stored-custom-fields.ts';

/** An entity that a statement may read, with the fields that are visible to the caller. */
export interface QueryTable {
  readonly entity: Entity;
  /** Custom fields of its records; empty if none are visible. */
  readonly customFields: readonly FilteredCustomField[];
}

/** The tables that a statement may read. No other tables exist for it. */
export interface QueryTables {
  /** By the name used in statements, such as `purchase_orders`. */
  readonly named: ReadonlyMap<string, QueryTable>;
  /** By the name of the entity, such as `PurchaseOrder`. */
  readonly ofEntity: ReadonlyMap<string, QueryTable>;
}

/** Makes tables accessible by both of their names. */
export function queryTables(tables: readonly QueryTable[]): QueryTables {
  return {
    named: new Map(tables.map((table) => [table.entity.table, table])),
    ofEntity: new Map(tables.map((table) => [table.entity.name, table])),
  };
}
