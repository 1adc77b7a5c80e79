import type { ChangedPage, RawRow, Stream } from '@unified/connectors';
import { type Change, changesAfter, documents, latestChange, type Pass, type Scope } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { entitiesOf } from '../model/connection-model.ts';
import { storeRows } from '../records/store-rows.ts';

/** A page to store. */
export interface PageToStore {
  readonly page: Pick<ChangedPage, 'rows' | 'deleted'>;
  /** End of the change log when the page was requested. */
  readonly since: number;
  /** The range of changes that this sync logged last. */
  readonly own: LogRange | null;
  /** The pass whose rows are marked as seen; absent for incremental passes. */
  readonly pass?: Pick<Pass, 'id'>;
  /** Called when this process has time for other work: no row has changed, or PostgreSQL is storing the last records. */
  readonly whenIdle?: () => void;
}

/** Thrown to undo a page with rows that writes have changed since it was requested. */
class Overtaken extends Error {
  readonly keys: ReadonlySet<string>;

  constructor(keys: ReadonlySet<string>) {
    super('Rows were written while their page was being read.');
    this.keys = keys;
  }
}

/**
 * Stores a page in one transaction, in which `within` is called last. Rows that were written after the page was requested are
 * read again first, because the page shows their earlier state. Returns the changes that the transaction logged.
 */
export async function storePage(
  session: DriverSession,
  stream: Stream,
  given: PageToStore,
  within: (scope: Scope) => Promise<void>,
): Promise<LogRange> {
  for (let current = given; ; ) {
    try {
      return await session.scope.transaction(async (scope) => {
        const logged = await storeOnce(scope, session, stream, current);
        await within(scope);
        return logged;
      });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      current = await readAgain(session, stream, current, error.keys);
    }
  }
}

/** Throws `Overtaken`. */
async function storeOnce(
  scope: Scope,
  { model }: DriverSession,
  stream: Stream,
  { page: { rows, deleted = [] }, since, own, pass, whenIdle }: PageToStore,
): Promise<LogRange> {
  const entities = entitiesOf(scope, model, stream.name).map(({ entity }) => entity.name);
  let from: number | undefined;
  const beforeDeriving = async (changed: ReadonlySet<string>) => {
    if (changed.size === 0) whenIdle?.();
    if (changed.size === 0 && deleted.length === 0) return;
    const written = await overtakenKeys(scope, stream, entities, since, own);
    const overtaken = new Set([...written].filter((key) => changed.has(key) || deleted.includes(key)));
    if (overtaken.size > 0) throw new Overtaken(overtaken);
    from = await logEnd(scope);
  };
  await storeRows(
    scope,
    model,
    stream,
    { rows, deleted },
    { beforeDeriving, whileStoring: whenIdle, ...(pass && { pass }) },
  );
  const until = await logEnd(scope);
  return { from: from ?? until, until };
}

async function readAgain(
  { scope, driver, quota }: DriverSession,
  stream: Stream,
  given: PageToStore,
  keys: ReadonlySet<string>,
): Promise<PageToStore> {
  const since = await logEnd(scope);
  const rows: RawRow[] = given.page.rows.filter(({ key }) => !keys.has(key));
  const deleted = (given.page.deleted ?? []).filter((key) => !keys.has(key));
  for (const key of keys) {
    const row = await quota.run('sync', () => driver.read(stream, key));
    if (row) rows.push({ key, row });
    else deleted.push(key);
  }
  return { ...given, page: { rows, deleted }, since };
}

/** A range of the change log of a connection: after `from`, up to and including `until`. */
export interface LogRange {
  readonly from: number;
  readonly until: number;
}

const BATCH = 1000;

/** Sequence number of the latest change. It does not change within a transaction that locks the log. */
export async function logEnd(scope: Scope): Promise<number> {
  return Number(await latestChange(scope));
}

/**
 * Keys of rows of a stream whose records were changed after `since`, the end of the log when their page was requested.
 * Changes by the sync itself (`own`) do not count. Call it while the transaction locks the log.
 */
export async function overtakenKeys(
  scope: Scope,
  stream: Stream,
  entities: readonly string[],
  since: number,
  own: LogRange | null,
): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const range of withoutOwn({ from: since, until: await logEnd(scope) }, own)) {
    const changes = (await changesIn(scope, range)).filter(({ entity }) => entities.includes(entity));
    for (const [entity, group] of Map.groupBy(changes, (change) => change.entity)) {
      for (const key of await keysOf(scope, stream, entity, group)) keys.add(key);
    }
  }
  return keys;
}

/** The parts of a range outside `own`. */
export function withoutOwn({ from, until }: LogRange, own: LogRange | null): LogRange[] {
  const parts = own
    ? [
        { from, until: Math.min(until, own.from) },
        { from: Math.max(from, own.until), until },
      ]
    : [{ from, until }];
  return parts.filter((part) => part.from < part.until);
}

async function changesIn(scope: Scope, { from, until }: LogRange): Promise<Change[]> {
  const found: Change[] = [];
  for (let cursor = String(from); ; ) {
    const page = await changesAfter(scope, cursor, BATCH);
    found.push(...page.changes.filter(({ seq }) => seq <= until));
    if (!page.hasMore || Number(page.cursor) >= until) return found;
    cursor = page.cursor;
  }
}

async function keysOf(scope: Scope, stream: Stream, entityName: string, changes: readonly Change[]): Promise<string[]> {
  const entity = scope.entities[entityName];
  if (!entity) return [];
  const docs = await documents(scope, entity, [...new Set(changes.map(({ id }) => id))]);
  return [...docs.values()].flatMap((doc) => {
    const { _source, _idValue } = JSON.parse(doc);
    return _source === stream.name ? [String(_idValue)] : [];
  });
}
