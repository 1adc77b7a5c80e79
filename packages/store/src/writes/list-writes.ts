import type { Entity, ViewMember } from '@unified/contract';
import pg from 'pg';
import { invalidCursor } from '../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { isInView, type ShownRecords } from '../access/shown-records.ts';
import { isUuid } from '../sql/parameter.ts';
import { type ByteBudget, fixedStatement } from '../sql/statement.ts';
import { type StoredWrite, WRITE_COLUMNS, type WriteStatus } from './stored-write.ts';

export interface WriteQuery {
  readonly status?: WriteStatus;
  readonly entity?: string;
  /** Only writes of these records, including creates; all if absent. */
  readonly shown?: ShownRecords;
  readonly targetId?: string;
  readonly writeId?: string;
  readonly limit: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string;
}

/** Write records of the connection, newest first; fewer if more would exceed the budget. Throws SERVICE_INVALID_CURSOR. */
export async function listWrites(
  scope: Scope,
  query: WriteQuery,
  budget?: ByteBudget,
): Promise<{ writes: StoredWrite[]; hasMore: boolean; nextCursor: string | null }> {
  const before = query.cursor === undefined ? null : readCursor(query.cursor);
  const given = [
    ['status = ?', query.status ?? null],
    ['entity = ?', query.entity ?? null],
    ['"targetId" = ?', query.targetId ?? null],
    ['"writeId" = ?', query.writeId ?? null],
    ['"writeId" < ?', before],
    query.shown ? [shownCondition(query.shown), query.shown.entities] : ['', null],
  ].filter((each): each is [string, string | readonly string[]] => each[1] !== null);
  const conditions = given.map(([sql], index) => ` and ${sql.replace('?', `$${index + 3}`)}`).join('');
  const rows = await sessionOf(scope).run<StoredWrite>(
    // Writes and records may be on different servers, which only a subquery allows.
    `select ${WRITE_COLUMNS} from (select * from unified.writes where connection_id = $1) writes
      where true${conditions} order by "writeId" desc limit $2::int`,
    [scope.connectionId, query.limit + 1, ...given.map(([, value]) => value)],
    budget,
  );
  const writes = rows.slice(0, query.limit);
  const hasMore = rows.length > query.limit || budget?.isExceeded === true;
  return { writes, hasMore, nextCursor: hasMore ? writeCursor(writes.at(-1)) : null };
}

/** SQL condition that a write is shown; its parameter is the list of entities. */
function shownCondition({ views }: ShownRecords): string {
  const ofViews = views.flatMap((entity) => (entity.view ?? []).map((member) => ofView(entity, member)));
  return `(${['entity = any(?::text[])', ...ofViews].join(' or ')})`;
}

/**
 * While a create is queued, or if it failed, its record does not exist, so the body of the write shows which view it belongs
 * to.
 */
function ofView(entity: Entity, member: ViewMember): string {
  const values = Object.entries(member.where).map(
    ([name, value]) => ` and body->>${pg.escapeLiteral(name)} = ${pg.escapeLiteral(String(value))}`,
  );
  const isCreate = `op = 'create' and "targetId" is null${values.join('')}`;
  return `entity = ${pg.escapeLiteral(member.entity)} and (${isInView(entity, '"targetId"')} or ${isCreate})`;
}

/** One write of the connection, or null. */
export async function writeById(scope: Scope, writeId: string): Promise<StoredWrite | null> {
  if (!isUuid(writeId)) return null;
  const [write] = await sessionOf(scope).run<StoredWrite>(
    `select ${WRITE_COLUMNS} from unified.writes where connection_id = $1 and "writeId" = $2`,
    [scope.connectionId, writeId],
  );
  return write ?? null;
}

/**
 * Reads a write and locks it until the transaction of `scope` ends, so that its state cannot change in the meantime.
 * Returns null when the connection has no such write. Call it with the scope of a transaction.
 */
export async function lockWrite(scope: Scope, writeId: string): Promise<StoredWrite | null> {
  const [write] = await sessionOf(scope).run<StoredWrite>(
    `select ${WRITE_COLUMNS} from unified.writes where connection_id = $1 and "writeId" = $2 for update`,
    [scope.connectionId, writeId],
  );
  return write ?? null;
}

/**
 * The record that a write created or changed, as JSON, as it was when the write succeeded. Null if the write has not succeeded,
 * or was an action or a delete.
 */
export async function writtenRecord(scope: Scope, writeId: string): Promise<string | null> {
  const statement = fixedStatement(
    'select "writtenRecord" from unified.writes where connection_id = $1 and "writeId" = $2',
  );
  const [row] = await sessionOf(scope).texts(statement, [scope.connectionId, writeId]);
  return row?.[0] ?? null;
}

function writeCursor(last: StoredWrite | undefined): string {
  return Buffer.from(`write ${last?.writeId}`).toString('base64url');
}

function readCursor(cursor: string): string {
  const [word, id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (word === 'write' && isUuid(id)) return id;
  throw invalidCursor();
}
