import { isSecretPath, type Json, type Row, type SystemCatalog, type SystemColumn } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { rawRowsAfter, rawStreams } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { platformOfModel } from '../model/connection-model.ts';
import { type MappedConnection, type MappingParts, withSystem } from './mapped-connection.ts';
import { streamReading, wholeTable } from './table-stream.ts';

/** Which tables to list. */
export interface SourceTableQuery {
  /** Only this table, with samples. */
  readonly table?: string | undefined;
  /** Position of the next page, as returned with the previous one. */
  readonly from?: Json | undefined;
  readonly limit: number;
}

export interface SourceColumn {
  readonly name: string;
  readonly label: string | null;
  readonly type: string | null;
  readonly nullable: boolean;
  readonly keyPosition: number | null;
  readonly samples: string[];
}

/** A table of the connected system, whether or not it is copied. */
export interface SourceTable {
  readonly name: string;
  readonly label: string | null;
  /** The stream that copies it. */
  readonly stream: string | null;
  /** Number of copied rows. */
  readonly rows: number;
  readonly estimatedRows: number | null;
  readonly columns: SourceColumn[];
}

export interface SourceTablePage {
  readonly tables: readonly SourceTable[];
  readonly next: Json | null;
}

/** Number of rows from which samples are taken. */
const SAMPLED = 50;
const MOST_SAMPLES = 5;
const LONGEST_SAMPLE = 100;

/** Tables with their columns, from the catalog of the system; if it has none, the streams that are copied. */
export async function sourceTables(
  parts: MappingParts,
  mapped: MappedConnection,
  query: SourceTableQuery,
): Promise<SourceTablePage> {
  const copied = new Map((await rawStreams(mapped.scope)).map(({ stream, rows }) => [stream, rows]));
  return withSystem(parts, mapped.scope, async (session) => {
    const catalog = session.driver.discover?.catalog;
    const page = catalog
      ? await listed(parts, session, catalog, query)
      : { tables: await streamsAsTables(mapped, query), next: null };
    const tables = page.tables.map((table) => {
      const stream = streamReading(mapped.model, table.name)?.name ?? null;
      return { ...table, stream, rows: stream === null ? 0 : (copied.get(stream) ?? 0) };
    });
    return { tables, next: page.next };
  });
}

type Found = Omit<SourceTable, 'stream' | 'rows'>;

async function listed(
  parts: MappingParts,
  session: DriverSession,
  catalog: SystemCatalog,
  { table, from = null, limit }: SourceTableQuery,
): Promise<{ tables: Found[]; next: Json | null }> {
  const { quota } = session;
  if (table !== undefined) return { tables: [await oneTable(parts, session, catalog, table)], next: null };
  const { items, next } = await quota.run('read', () => catalog.tables({ from, limit }));
  const tables: Found[] = [];
  for (const { name, label, estimatedRows } of items) {
    const columns = (await columnsOf(session, catalog, name)) ?? [];
    tables.push({ name, label, estimatedRows, columns: columns.map((column) => shown(column, [])) });
  }
  return { tables, next };
}

/** All columns of a table; null if the login cannot read such a table. */
export async function columnsOf(
  { quota }: DriverSession,
  catalog: SystemCatalog,
  table: string,
): Promise<SystemColumn[] | null> {
  const columns: SystemColumn[] = [];
  for (let from: Json | null = null; ; ) {
    const page = await quota.run('read', () => catalog.columns(table, { from }));
    if (!page) return null;
    columns.push(...page.items);
    if (page.next === null) return columns;
    from = page.next;
  }
}

async function oneTable(
  parts: MappingParts,
  session: DriverSession,
  catalog: SystemCatalog,
  name: string,
): Promise<Found> {
  const columns = await columnsOf(session, catalog, name);
  if (!columns) throw noTable(name);
  const rows = await sampledRows(parts, session, name, columns);
  return { name, label: null, estimatedRows: null, columns: columns.map((column) => shown(column, rows)) };
}

export function noTable(name: string): ServiceError {
  const message = `The connected system has no table "${name}" that its login can read. List the tables to see their names.`;
  return new ServiceError('SERVICE_NOT_FOUND', message);
}

/** Reads some rows with a driver that has a stream for the table. */
async function sampledRows(
  { systems }: MappingParts,
  { model, settings, host, quota }: DriverSession,
  name: string,
  columns: readonly SystemColumn[],
): Promise<Row[]> {
  const stream = wholeTable(model, name, columns);
  if (!stream) return [];
  const driver = systems.openDriver({ ...platformOfModel(model), streams: [stream], mappings: {} }, settings, host);
  try {
    const { rows } = await quota.run('read', () => driver.pull({ stream, from: null, limit: SAMPLED }));
    return rows.map(({ row }) => row);
  } finally {
    await driver.close();
  }
}

function shown({ name, label, type, nullable, keyPosition }: SystemColumn, rows: readonly Row[]): SourceColumn {
  return { name, label, type, nullable, keyPosition, samples: samplesOf(name, rows) };
}

function samplesOf(name: string, rows: readonly Row[]): string[] {
  if (isSecretPath(name)) return [];
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined && value !== '');
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [...new Set(texts)].slice(0, MOST_SAMPLES).map((text) => text.slice(0, LONGEST_SAMPLE).toWellFormed());
}

/** The streams of a system that cannot list its tables, with the properties of some of their copied rows. */
async function streamsAsTables({ model, scope }: MappedConnection, { table }: SourceTableQuery): Promise<Found[]> {
  const streams = model.platform.streams.filter(({ name }) => table === undefined || name === table);
  if (table !== undefined && streams.length === 0) throw noTable(table);
  return Promise.all(
    streams.map(async ({ name, key }) => {
      const rows = (await rawRowsAfter(scope, name, '', SAMPLED)).map(({ row }) => row);
      const names = [...new Set([...key, ...rows.flatMap((row) => Object.keys(row))])];
      const columns = names.map((column) => ({
        ...{ name: column, label: null, type: null, nullable: !key.includes(column) },
        keyPosition: key.includes(column) ? key.indexOf(column) + 1 : null,
        samples: table === undefined ? [] : samplesOf(column, rows),
      }));
      return { name, label: null, estimatedRows: null, columns };
    }),
  );
}
