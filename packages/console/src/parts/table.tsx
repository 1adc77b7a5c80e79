import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A column of a table: its heading, and the cell of a row. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Hidden on narrow screens. */
  readonly minor?: boolean;
  /** Contains buttons: its heading is only read aloud. */
  readonly actions?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A short table. Long lists are virtualized: see the list of records. */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  const classOf = ({ numeric, minor, actions }: Column<Row>) =>
    [numeric && styles.numeric, minor && styles.minor, actions && styles.actions].filter(Boolean).join(' ') ||
    undefined;
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" className={classOf(column)}>
              {column.actions ? <span className="unseen">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td key={column.name} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
