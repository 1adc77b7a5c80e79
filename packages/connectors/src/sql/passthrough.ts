import {
  MOST_ROWS,
  type Passthrough,
  type PassthroughStatement,
  type SelectedRows,
} from '../passthrough/passthrough.ts';
import { SystemError } from '../system-error.ts';
import type { Database } from './dialect/sql-dialect.ts';
import { queryStart } from './query-text.ts';

/** Opens a database whose connections are closed after one statement, so that no session state remains. */
type OpenOnce = () => Database;

/** Runs statements from clients, each on its own connection. */
export function sqlPassthrough(open: OpenOnce): Pick<Required<Passthrough>, 'select'> {
  return { select: (statement) => selected(open, statement) };
}

async function selected(open: OpenOnce, { statement, parameters }: PassthroughStatement): Promise<SelectedRows> {
  const text = statement.trim().replace(/;$/, '');
  if (!queryStart(text)) throw new SystemError('rejected', 'The statement is not a SELECT');
  const database = open();
  if (!database.select) {
    await database.close();
    throw new SystemError('rejected', 'The database does not run statements from clients');
  }
  try {
    const rows = await database.select(text, parameters, MOST_ROWS + 1);
    return { rows: rows.slice(0, MOST_ROWS), hasMore: rows.length > MOST_ROWS };
  } finally {
    await database.close();
  }
}
