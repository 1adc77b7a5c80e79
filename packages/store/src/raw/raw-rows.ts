import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { type Scope, sessionOf } from '../access/scope.ts';
import { lockChangeCursor } from '../changes/change-log.ts';
import { alongside } from '../sql/alongside.ts';
import { batchesBySize } from '../sql/batches-by-size.ts';
import { jsonArray } from '../sql/parameter.ts';
import { budgetOf, bulkStatement } from '../sql/statement.ts';

/** One row as the connected system returned it, with the text that identifies it within its stream. */
export interface KeyedRow {
  readonly key: string;
  readonly row: Record<string, unknown>;
}

/** A row with what saving it needs: its JSON text, and the hash of the text. */
export interface HashedRow extends KeyedRow {
  readonly text: string;
  readonly sum: string;
}

/** Number of rows that are hashed before the event loop gets its turn. */
const TURN = 50;

/**
 * Renders and hashes rows. Call it before `saveRawRows`, while another page is being stored; otherwise `saveRawRows` does it while
 * PostgreSQL waits. It takes many turns of the event loop, so that statements of the other page are hardly delayed.
 */
export async function hashRows<Row extends KeyedRow>(rows: readonly Row[]): Promise<(Row & HashedRow)[]> {
  const done: (Row & HashedRow)[] = [];
  for (const row of rows) {
    if (done.length > 0 && done.length % TURN === 0) await nextTurn();
    done.push(hashed(row));
  }
  return done;
}

function hashed<Row extends KeyedRow>(row: Row): Row & HashedRow {
  const text = JSON.stringify(row.row);
  return { ...row, text, sum: sumOf(text) };
}

function sumOf(text: string): string {
  return hash('sha256', text, 'base64');
}

/** One reading of a stream from its beginning to its end. */
export interface Pass {
  /** UUID. */
  readonly id: string;
  /** RFC 3339; before the first page was requested. */
  readonly startedAt: string;
}

/** Rows by key; rows that were deleted in the connected system, or never read, are left out. */
export async function rawRows(scope: Scope, stream: string, keys: readonly string[]): Promise<KeyedRow[]> {
  return sessionOf(scope).run<KeyedRow>(
    `select key, row from unified.raw_rows
      where connection_id = $1 and stream = $2 and key = any($3::text[]) and "deletedAt" is null order by key`,
    [scope.connectionId, stream, keys],
  );
}

/** The same, each with the time at which its current version was stored, RFC 3339. */
export async function rawRowsSaved(
  scope: Scope,
  stream: string,
  keys: readonly string[],
): Promise<(KeyedRow & { readonly savedAt: string })[]> {
  return sessionOf(scope).run<KeyedRow & { readonly savedAt: string }>(
    `select key, row, "savedAt" from unified.raw_rows
      where connection_id = $1 and stream = $2 and key = any($3::text[]) and "deletedAt" is null order by key`,
    [scope.connectionId, stream, keys],
  );
}

/** Maximum number of bytes of the rows that are read together, so that memory does not depend on the size of rows. */
const MOST_BYTES = 16_000_000;

/** The same for their stored form, usually compressed: PostgreSQL knows its size without reading the rows. */
const MOST_STORED_BYTES = 4_000_000;

/**
 * SQL of the next rows of a stream, or of those among them with the keys in `$5`. PostgreSQL reads and sends no large rows that
 * would be discarded then.
 */
const nextRows = (among = '') => `select key, row from (
    select key, row, row_number() over next as place, sum(pg_column_size(row)) over next as bytes from (
      select key, row from unified.raw_rows
       where connection_id = $1 and stream = $2 and key > $3${among} and "deletedAt" is null order by key limit $4::int) page
    window next as (order by key)) measured
   where place = 1 or bytes <= ${MOST_STORED_BYTES}`;

const PAGE = nextRows();
const AMONG = `${nextRows(' and key = any($5::text[])')} order by key`;

/**
 * The next rows of a stream, ordered by key, in total at most 16 MB or one row; `after` is '' at the beginning. There are more rows
 * unless none is returned. Used to derive records again.
 */
export async function rawRowsAfter(scope: Scope, stream: string, after: string, limit: number): Promise<KeyedRow[]> {
  return sessionOf(scope).run<KeyedRow>(
    `${PAGE} order by key`,
    [scope.connectionId, stream, after, limit],
    budgetOf(MOST_BYTES),
  );
}

/** All rows with these keys, ordered by key, in parts as large as those of `rawRowsAfter`. */
export async function* rawRowsInParts(
  scope: Scope,
  stream: string,
  keys: readonly string[],
): AsyncGenerator<readonly KeyedRow[]> {
  for (let after = ''; keys.length > 0; ) {
    const values = [scope.connectionId, stream, after, keys.length, keys];
    const rows = await sessionOf(scope).run<KeyedRow>(AMONG, values, budgetOf(MOST_BYTES));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.key;
  }
}

/** The keys of these rows. */
export async function rawKeysAfter(scope: Scope, stream: string, after: string, limit: number): Promise<string[]> {
  const rows = await sessionOf(scope).run<{ key: string }>(
    `select key from (
       select key, row_number() over next as place, sum(octet_length(row::text)) over next as bytes from (${PAGE}) page
       window next as (order by key)) measured
      where place = 1 or bytes <= ${MOST_BYTES} order by key`,
    [scope.connectionId, stream, after, limit],
  );
  return rows.map(({ key }) => key);
}

/** Number of rows of a stream. */
export async function countRawRows(scope: Scope, stream: string): Promise<number> {
  const [row] = await sessionOf(scope).run<{ rows: number }>(
    'select count(*) as rows from unified.raw_rows where connection_id = $1 and stream = $2 and "deletedAt" is null',
    [scope.connectionId, stream],
  );
  return row?.rows ?? 0;
}

/** Streams that have rows, with the number of rows. */
export async function rawStreams(scope: Scope): Promise<{ stream: string; rows: number }[]> {
  return sessionOf(scope).run<{ stream: string; rows: number }>(
    `select stream, count(*) as rows from unified.raw_rows
      where connection_id = $1 and "deletedAt" is null group by stream order by stream`,
    [scope.connectionId],
  );
}

export interface SavedRows {
  /** Keys of the rows that are new, have changed, or had been deleted; only these need mapping. */
  readonly changed: readonly string[];
  readonly unchanged: number;
  /** Keys that several rows of the page have, with different content; absent if there are none. These rows count as changed. */
  readonly duplicates?: ReadonlySet<string>;
}

/**
 * Stores the rows of a page as the connected system returned them. An unchanged row costs a hash and an index lookup, but no
 * write. With `pass`, the keys are stored as seen, in one row per page. Of two rows with the same key, the later one is stored.
 * `meanwhile` is called once, while PostgreSQL stores the rows: for work of this process that needs no database.
 */
export async function saveRawRows(
  scope: Scope,
  stream: string,
  rows: readonly (KeyedRow | HashedRow)[],
  pass?: Pick<Pass, 'id'>,
  meanwhile?: (saved: SavedRows) => void,
): Promise<SavedRows> {
  return scope.transaction(async (inner) => {
    await lockChangeCursor(inner);
    const keys = [...new Set(rows.map(({ key }) => key))];
    const [known, { given, overwritten }] = await alongside(storedHashes(inner, stream, keys), () => latestOf(rows));
    const changed = given.filter(({ key, sum }) => overwritten.has(key) || known.get(key) !== sum);
    const duplicates = overwritten.size > 0 && { duplicates: new Set(overwritten.keys()) };
    const changedKeys = changed.map(({ key }) => key);
    const saved: SavedRows = { changed: changedKeys, unchanged: keys.length - changedKeys.length, ...duplicates };
    await alongside(store(inner, stream, changed, known), () => meanwhile?.(saved));
    if (pass && keys.length > 0) await noteSeen(inner, stream, pass.id, keys);
    return saved;
  });
}

/** The rows to store, and the texts of rows with the same key but other content, which the later row replaces. */
function latestOf(rows: readonly (KeyedRow | HashedRow)[]) {
  const byKey = new Map<string, HashedRow>();
  const overwritten = new Map<string, string[]>();
  for (const each of rows) {
    const row = isHashed(each) ? each : hashed(each);
    const earlier = byKey.get(row.key);
    if (earlier !== undefined && earlier.text !== row.text)
      overwritten.set(row.key, [...(overwritten.get(row.key) ?? []), earlier.text]);
    byKey.set(row.key, row);
  }
  // Includes the rows that it replaces, so that the row counts as changed once its key is unique again.
  for (const [key, texts] of overwritten) {
    const row = byKey.get(key);
    if (row) byKey.set(key, { ...row, sum: sumOf([...texts, row.text].join('\n')) });
  }
  return { given: [...byKey.values()], overwritten };
}

function isHashed(row: KeyedRow | HashedRow): row is HashedRow {
  return 'sum' in row;
}

async function storedHashes(scope: Scope, stream: string, keys: readonly string[]): Promise<Map<string, string>> {
  const statement = bulkStatement(
    `select key, hash from unified.raw_rows
      where connection_id = $1 and stream = $2 and key = any($3::text[]) and "deletedAt" is null`,
  );
  const rows = await sessionOf(scope).texts(statement, [scope.connectionId, stream, keys]);
  return new Map(rows.map(([key, sum]) => [String(key), String(sum)]));
}

/** Maximum number of characters in the rows that one statement stores. V8 cannot join 500 rows of a megabyte. */
const MOST_AT_ONCE = 8_000_000;

/** Stores rows; `known` has the keys of those that are stored and not deleted. Updating these costs less than an upsert. */
async function store(
  scope: Scope,
  stream: string,
  rows: readonly HashedRow[],
  known: ReadonlyMap<string, string>,
): Promise<void> {
  const stored = rows.filter(({ key }) => known.has(key));
  const others = stored.length === 0 ? rows : rows.filter(({ key }) => !known.has(key));
  for (const batch of inBatches(stored)) await storeBatch(scope, stream, batch, UPDATE);
  for (const batch of inBatches(others)) await storeBatch(scope, stream, batch, UPSERT);
}

function inBatches(rows: readonly HashedRow[]) {
  return batchesBySize(rows, ({ text }) => text.length, MOST_AT_ONCE);
}

const OUTDATED = `with outdated as (
  delete from unified.row_problems where connection_id = $1 and stream = $2 and key = any($3::text[]))`;

const GIVEN = 'unnest($3::text[], $4::text[], $5::json[]) given(key, hash, row)';

const UPSERT = `${OUTDATED}
  insert into unified.raw_rows (connection_id, stream, key, row, hash)
  select $1::uuid, $2::text, key, row, hash from ${GIVEN}
  on conflict (connection_id, stream, key)
    do update set row = excluded.row, hash = excluded.hash, "savedAt" = excluded."savedAt", "deletedAt" = null`;

/**
 * The list of keys in the condition is always looked up in the index, and `offset 0` is for Citus: see `prepareUpdate`.
 */
const UPDATE = `${OUTDATED}
  update unified.raw_rows stored set row = given.row, hash = given.hash, "savedAt" = now()
    from (select key, hash, row from ${GIVEN} offset 0) given
   where stored.connection_id = $1 and stored.stream = $2 and stored.key = any($3::text[]) and stored.key = given.key`;

async function storeBatch(scope: Scope, stream: string, rows: readonly HashedRow[], text: string): Promise<void> {
  const columns = [rows.map(({ key }) => key), rows.map(({ sum }) => sum), jsonArray(rows.map(({ text }) => text))];
  await sessionOf(scope).texts(bulkStatement(text), [scope.connectionId, stream, ...columns]);
}

async function noteSeen(scope: Scope, stream: string, pass: string, keys: readonly string[]): Promise<void> {
  const statement = bulkStatement(
    'insert into unified.raw_passes (connection_id, stream, pass, page, keys) values ($1, $2, $3, $4, $5)',
  );
  await sessionOf(scope).texts(statement, [scope.connectionId, stream, pass, newId(), keys]);
}

/** Marks rows as deleted in the connected system. They stay stored. If they are read again, they count as changed. */
export async function deleteRawRows(scope: Scope, stream: string, keys: readonly string[]): Promise<void> {
  await scope.transaction(async (inner) => {
    await lockChangeCursor(inner);
    await sessionOf(inner).runBulk(
      `with outdated as (
         delete from unified.row_problems where connection_id = $1 and stream = $2 and key = any($3::text[])),
       waiting as (
         delete from unified.unresolved_references where connection_id = $1 and source = $2 and "idValue" = any($3::text[]))
       update unified.raw_rows set "deletedAt" = now()
        where connection_id = $1 and stream = $2 and key = any($3::text[]) and "deletedAt" is null`,
      [scope.connectionId, stream, keys],
    );
  });
}

/**
 * Returns the keys of the rows that a finished pass did not see, because they were deleted in the connected system. A row that
 * a write saved while the pass ran is not missing.
 */
export async function missingAfterPass(scope: Scope, stream: string, pass: Pass): Promise<string[]> {
  const rows = await sessionOf(scope).runBulk<{ key: string }>(
    `select r.key from unified.raw_rows r
      where r.connection_id = $1 and r.stream = $2 and r."deletedAt" is null and r."savedAt" < $4::timestamptz
        and not exists (
          select from (select unnest(keys) as key from unified.raw_passes
                        where connection_id = $1 and stream = $2 and pass = $3) seen
           where seen.key = r.key)
      order by r.key`,
    [scope.connectionId, stream, pass.id, pass.startedAt],
  );
  return rows.map(({ key }) => key);
}

/** Deletes what passes over a stream have seen, except for `keep`. */
export async function forgetPasses(scope: Scope, stream: string, keep?: Pick<Pass, 'id'>): Promise<void> {
  await sessionOf(scope).runBulk(
    'delete from unified.raw_passes where connection_id = $1 and stream = $2 and pass is distinct from $3::uuid',
    [scope.connectionId, stream, keep?.id ?? null],
  );
}
