import type { ChangedPage, RawRow, Stream } from '@unified/connectors';
import { type Pass, type Scope, saveRawRows } from '@unified/store';
import type { DriverSession } from '../drivers/driver-session.ts';
import { deriveRecords, livingIn, removeRows } from '../records/store-rows.ts';
import { type LogRange, logEnd, overtakenKeys } from './overtaken-keys.ts';

/** A page to store. */
export interface PageToStore {
  readonly page: Pick<ChangedPage, 'rows' | 'deleted'>;
  /** Where the change log stood when the page was asked for. */
  readonly since: number;
  /** What this sync itself logged last. */
  readonly own: LogRange | null;
  /** The pass whose rows are noted as seen; absent where that is not needed. */
  readonly pass?: Pick<Pass, 'id'>;
}

/** Thrown to undo a page of which some rows were overtaken by writes. */
class Overtaken extends Error {
  readonly keys: ReadonlySet<string>;

  constructor(keys: ReadonlySet<string>) {
    super('Rows were written while their page was on its way.');
    this.keys = keys;
  }
}

/**
 * Stores a page in one transaction, in which `within` is called last. A row that somebody wrote while the page was on its
 * way is read again first: the page shows it as it was before. Gives what the transaction logged.
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
        const logged = await storeWithin(scope, session, stream, current);
        await within(scope);
        return logged;
      });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      current = await readAgain(session, stream, current, error.keys);
    }
  }
}

async function storeWithin(
  scope: Scope,
  { platform }: DriverSession,
  stream: Stream,
  given: PageToStore,
): Promise<LogRange> {
  const { page, since, own, pass } = given;
  const { rows, deleted = [] } = page;
  // From here on the transaction holds the change log of the connection.
  const saved = await saveRawRows(scope, stream.name, rows, pass);
  const changed = new Set(saved.changed);
  const entities = livingIn(scope, platform, stream).map(({ entity }) => entity.name);
  const written = await overtakenKeys(scope, stream, entities, since, own);
  const overtaken = new Set([...written].filter((key) => changed.has(key) || deleted.includes(key)));
  if (overtaken.size > 0) throw new Overtaken(overtaken);
  const from = await logEnd(scope);
  await deriveRecords(
    scope,
    platform,
    stream,
    rows.filter(({ key }) => changed.has(key)),
  );
  await removeRows(scope, platform, stream, deleted);
  return { from, until: await logEnd(scope) };
}

async function readAgain(
  session: DriverSession,
  stream: Stream,
  given: PageToStore,
  keys: ReadonlySet<string>,
): Promise<PageToStore> {
  const since = await logEnd(session.scope);
  const rows: RawRow[] = given.page.rows.filter(({ key }) => !keys.has(key));
  const deleted = (given.page.deleted ?? []).filter((key) => !keys.has(key));
  for (const key of keys) {
    const row = await session.broker.run('sync', () => session.driver.read(stream, key));
    if (row) rows.push({ key, row });
    else deleted.push(key);
  }
  return { ...given, page: { rows, deleted }, since };
}
