/**
 * The elements of lists of references, one row each: which record points to which by which field (`PurchaseOrder.lines`).
 * Lists are found by it, since no index on an array serves a tenant: row-level security keeps its operators from indexes.
 */
export const links = `
create table unified.links (
  connection_id uuid not null,
  field text not null,
  target uuid not null,
  id uuid not null,
  primary key (connection_id, field, target, id)
);`;
