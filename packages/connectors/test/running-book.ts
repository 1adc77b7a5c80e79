import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { RawRow, Row } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import { loadPlatform } from '../src/load-platform.ts';
import type { CompiledMapping } from '../src/mapping/mapping.ts';
import type { ValueProblem } from '../src/mapping/problem.ts';
import type { Platform, Stream } from '../src/platform.ts';
import { openSql, type SqlDriver } from '../src/sql/open-sql.ts';
import { executeIn, startMariaDb } from './running-mariadb.ts';

/** The figures that `test-systems/gnucash/book.ts` computes with GnuCash. Amounts are fractions: `60966/100`. */
export interface BookFigures {
  readonly accounts: Readonly<Record<string, { readonly name: string; readonly balance: string }>>;
  readonly documents: Readonly<Record<string, Readonly<Record<'total' | 'subtotal' | 'tax', string>> & BookDocument>>;
}

interface BookDocument {
  readonly isPosted: boolean;
  readonly isPaid: boolean;
  readonly open: string | null;
  readonly date: string | null;
  readonly dueDate: string | null;
  readonly lines: readonly { readonly description: string; readonly quantity: string; readonly value: string }[];
}

/** A record as its mapping reads it, with its key; references are those of the mapping. */
export type ReadRecord = Row & { readonly key: string };

/** A GnuCash book in a running database, and a connection to it. */
export interface RunningBook {
  readonly platform: Platform;
  readonly driver: SqlDriver;
  readonly figures: BookFigures;
  /** Changes the tables without GnuCash. */
  execute(statement: string): Promise<void>;
  /** All rows of a stream, in small pages. */
  rows(stream: Stream): Promise<RawRow[]>;
  /** All records of an entity. Problems of values are added to the list. */
  records(entity: string, problems?: ValueProblem[]): Promise<ReadRecord[]>;
  stop(): Promise<void>;
}

/** These modules are outside this package, so the compiler must not see their paths. */
interface BookModule {
  createBook(url: string): Promise<BookFigures>;
  startBook(): Promise<{ folder: string; file: string; figures: BookFigures; stop(): Promise<void> }>;
}
const gnucash: () => Promise<BookModule> = () =>
  import(new URL('../../../test-systems/gnucash/start.ts', import.meta.url).href);

/** Rows per page: fewer than most streams have. */
const PAGE = 7;

/** A book in an SQLite file. Only one can be open at a time, because `SQLITE_FOLDER` applies to the process. */
export async function bookInSqlite(): Promise<RunningBook> {
  const { folder, file, figures, stop } = await (await gnucash()).startBook();
  process.env.SQLITE_FOLDER = folder;
  const tables = new DatabaseSync(file);
  return openBook(`sqlite://${file}`, figures, {
    execute: async (statement) => tables.exec(statement),
    async stop() {
      tables.close();
      await stop();
    },
  });
}

/** A book in its own MariaDB. */
export async function bookInMariaDb(): Promise<RunningBook> {
  const { url, stop } = await startMariaDb();
  const figures = await (await gnucash()).createBook(url);
  return openBook(url, figures, { execute: (statement) => executeIn(url, statement), stop });
}

function openBook(url: string, figures: BookFigures, database: Pick<RunningBook, 'execute' | 'stop'>): RunningBook {
  const platform = loadPlatform(fileURLToPath(new URL('../platforms/gnucash', import.meta.url)));
  const driver = openSql(platform, { url, allowPrivateHosts: true });
  const rows: RunningBook['rows'] = async (stream) => {
    const read: RawRow[] = [];
    let from: Json = null;
    do {
      const page = await driver.pull({ stream, from, limit: PAGE });
      read.push(...page.rows);
      from = page.next;
    } while (from !== null);
    return read;
  };
  return {
    platform,
    driver,
    figures,
    execute: database.execute,
    rows,
    async records(entity, problems) {
      const mapping = mappingOf(platform, entity);
      const stream = platform.streams.find(({ name }) => name === mapping.stream);
      if (!stream) throw new Error(`no stream ${mapping.stream}`);
      return (await rows(stream)).flatMap((row) => {
        const record = mapping.read(row, problems);
        return record ? [{ ...record.values, ...record.references, key: row.key }] : [];
      });
    },
    async stop() {
      await driver.close();
      await database.stop();
    },
  };
}

function mappingOf(platform: Platform, entity: string): CompiledMapping {
  const mapping = platform.mappings[entity];
  if (!mapping) throw new Error(`no mapping of ${entity}`);
  return mapping;
}
