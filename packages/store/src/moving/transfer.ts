import {
  addPartitions,
  continueSequences,
  copyTable,
  type ProvenTable,
  proveTable,
  type Route,
} from './copied-tables.ts';
import { type InstallationTable, installationTables, triggersOf } from './installation-tables.ts';
import { MoveError } from './move-error.ts';
import { refuseUnlike, SETTINGS, usedTable } from './target.ts';

export interface TransferProgress {
  /** Called before a table is read, with its place among all, from 1. */
  readonly onTable?: (table: string, place: number, of: number) => void;
  /** Called when the content of a table is the same in both databases. */
  readonly onProven?: (proven: ProvenTable) => void;
}

export interface Transfer {
  /** False if the other database contained everything already. */
  readonly isCopied: boolean;
  readonly tables: readonly ProvenTable[];
}

/**
 * Copies all tables in one transaction and compares them; if the target is not empty, it only compares them. Throws `MoveError` at
 * the first difference, and then the target is as before. Both must have been updated to this release.
 */
export async function transfer(route: Route, progress: TransferProgress): Promise<Transfer> {
  const { source, target } = route;
  await source.query('begin isolation level repeatable read read only');
  const tables = await installationTables(source);
  await target.query('begin');
  await refuseUnlike(target, tables);
  const names = new Set(tables.map(({ name }) => name));
  // None of a distributed database is forced, and none may be: Citus would move its shards without their rows.
  const forced = (await installationTables(target)).filter(({ name, isForced }) => isForced && names.has(name));
  // Row-level security would hide the rows from their owner, and does not allow the owner to copy any.
  for (const { name } of forced) await target.query(`alter table ${name} no force row level security`);
  const used = await usedTable(target, tables);
  const proven =
    used === undefined ? await copyAll(route, tables, progress) : await compareAll(route, tables, progress, used);
  for (const { name } of forced) await target.query(`alter table ${name} force row level security`);
  await target.query('commit');
  await source.query('commit');
  // Otherwise lists could be slow until PostgreSQL does this itself.
  await target.query(`analyze ${tables.map(({ name }) => name).join(', ')}`);
  return { isCopied: used === undefined, tables: proven };
}

async function copyAll(route: Route, tables: readonly InstallationTable[], progress: TransferProgress) {
  // Migrations have written some; the embedded database has these as well.
  await route.target.query(`delete from ${SETTINGS}`);
  await addPartitions(route);
  // The rows that they write are copied as well. Triggers that only the target has stay enabled: the proof finds what they change.
  const triggers = await triggersOf(route.source);
  for (const { table, name } of triggers) await route.target.query(`alter table ${table} disable trigger ${name}`);
  const proven = await proveAll(route, tables, progress, (table) => copyTable(route, table));
  for (const { table, name } of triggers) await route.target.query(`alter table ${table} enable trigger ${name}`);
  await continueSequences(route);
  return proven;
}

/** A move that was interrupted after its commit has copied everything. Throws `MoveError` if the target has anything else. */
async function compareAll(
  route: Route,
  tables: readonly InstallationTable[],
  progress: TransferProgress,
  used: string,
): Promise<ProvenTable[]> {
  try {
    return await proveAll(route, tables, progress, async () => {});
  } catch (error) {
    if (!(error instanceof MoveError)) throw error;
    throw new MoveError(
      `The database is not empty: ${used} has rows, and ${error.message}`,
      'Name an empty database. If you need nothing in this one, run there: DROP SCHEMA IF EXISTS unified, data, jobs CASCADE;',
    );
  }
}

async function proveAll(
  route: Route,
  tables: readonly InstallationTable[],
  { onTable = () => {}, onProven = () => {} }: TransferProgress,
  fill: (table: InstallationTable) => Promise<void>,
): Promise<ProvenTable[]> {
  const all: ProvenTable[] = [];
  for (const [index, table] of tables.entries()) {
    onTable(table.name, index + 1, tables.length);
    await fill(table);
    const proven = await proveTable(route, table);
    onProven(proven);
    all.push(proven);
  }
  return all;
}
