import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { columnList, type Fingerprint, fingerprintOf } from './fingerprint.ts';
import { type InstallationTable, partitionsOf, sequencesOf } from './installation-tables.ts';
import { MoveError } from './move-error.ts';

/** A table whose content is the same in both databases. */
export interface ProvenTable extends Fingerprint {
  readonly table: string;
}

/** The database that is copied, and the one that receives the copy. */
export interface Route {
  readonly source: pg.Client;
  readonly target: pg.Client;
}

/** Compares the content of a table in both databases. Throws `MoveError` if they differ. */
export async function proveTable({ source, target }: Route, table: InstallationTable): Promise<ProvenTable> {
  const [original, copy] = await Promise.all([fingerprintOf(source, table), fingerprintOf(target, table)]);
  if (original.rows === copy.rows && original.hash === copy.hash) return { table: table.name, ...original };
  const difference =
    original.rows === copy.rows
      ? `the contents of its ${rowsOf(original)} differ`
      : `the embedded database has ${rowsOf(original)} and the other ${rowsOf(copy)}`;
  throw new MoveError(
    `${table.name} is not the same in both databases: ${difference}.`,
    'Nothing was moved. Look for triggers and rules in the other database, or name an empty one.',
  );
}

const rowsOf = ({ rows }: Fingerprint) => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

/** Copies the rows of a table to the empty one of the same name. */
export async function copyTable({ source, target }: Route, table: InstallationTable): Promise<void> {
  // Loaded only here, because no other command needs it.
  const { from, to } = await import('pg-copy-streams');
  const columns = columnList(table);
  await pipeline(
    source.query(to(`copy (select ${columns} from ${table.name}) to stdout`)),
    target.query(from(`copy ${table.name} (${columns}) from stdin`)),
  );
}

/** Creates the partitions of the source that the target lacks. */
export async function addPartitions({ source, target }: Route): Promise<void> {
  for (const { name, of, bound } of await partitionsOf(source))
    await target.query(`create table if not exists ${name} partition of ${of} ${bound}`);
}

/** Makes the sequences of the target continue where those of the source are. */
export async function continueSequences({ source, target }: Route): Promise<void> {
  for (const { name, last } of await sequencesOf(source))
    await target.query('select setval($1::regclass, $2)', [name, last]);
}
