/**
 * Where the tables of a distributed database are. Rows of connections are distributed by `connection_id`, and all rows of one
 * connection are on one server, so a statement on its data runs there. Everything else stays on the coordinator.
 *
 * No table is a reference table: each change of one locks the whole table on all servers, and no statement needs one.
 */
export type TablePlacement = 'distributed' | 'coordinator';

/** Name of the column by which tables are distributed. */
export const DISTRIBUTION_COLUMN = 'connection_id';

/** Tables of connections that stay on the coordinator, and why: their rows are found across connections, and are few. */
export const ON_COORDINATOR: Readonly<Record<string, string>> = {
  'unified.active_field_mappings': 'Settings of a connection; cannot outlive it.',
  'unified.change_cursors':
    'The lock of a connection, and the end of its log, which workers compare with the positions of webhook endpoints. Readers use `change_log_bounds`.',
  'unified.contents': 'Names of files; the sweep finds those to check across connections. Their bytes are distributed.',
  'unified.custom_streams': 'Settings of a connection; cannot outlive it.',
  'unified.data_mapping_pairs': 'Belong to data mappings.',
  'unified.data_mappings': 'Settings of a connection; cannot outlive it.',
  'unified.field_mappings': 'Settings of a connection; cannot outlive it.',
  'unified.idempotency': 'Stored together with a write; the sweep removes expired keys across connections.',
  'unified.loose_contents': 'Uploads in progress; the sweep finds abandoned ones across connections.',
  'unified.sync_streams': 'Jobs: the next run of a connection is planned from them.',
  'unified.write_queues': 'The lock of a queue of writes.',
  'unified.writes': 'Jobs: the sweep finds the queues that are due across connections.',
};

/** A table of this service with the names of its columns. */
export interface PlacedTable {
  /** With its schema, unquoted: `data.work_orders`. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** Where a table is. */
export function placementOf({ name, columns }: PlacedTable): TablePlacement {
  return columns.includes(DISTRIBUTION_COLUMN) && !Object.hasOwn(ON_COORDINATOR, name) ? 'distributed' : 'coordinator';
}
