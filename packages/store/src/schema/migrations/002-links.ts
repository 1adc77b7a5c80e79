/**
 * The elements of lists of references, one row each: which record points to which by which field (`PurchaseOrder.lines`). Lists
 * are searched through this table, since tenants cannot use an index on an array: row-level security keeps its operators from
 * using one.
 */
export const links = `
create table unified.links (
  connection_id uuid not null,
  field text not null,
  target uuid not null,
  id uuid not null,
  primary key (connection_id, field, target, id)
);`;
