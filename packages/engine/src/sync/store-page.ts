import type { PulledPage, RawRow, Stream } from '@unified/connectors';
import { type Pass, type Scope, saveRawRows } from '@unified/store';
import type { Link } from '../drivers/driver-session.ts';
import { deriveRecords, livingIn, removeRows } from '../records/store-rows.ts';
import { logEnd, overtakenKeys, type Stretch } from './overtaken-keys.ts';

/** A page to store. */
export interface PageToStore {
  readonly page: Pick<PulledPage, 'rows' | 'deleted'>;
  /** Where the change log stood when the page was asked for. */
  readonly since: number;
  /** What this sync itself logged last. */
  readonly own: Stretch | null;
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
  link: Link,
  stream: Stream,
  given: PageToStore,
  within: (scope: Scope) => Promise<void>,
): Promise<Stretch> {
  for (let current = given; ; ) {
    try {
      return await link.scope.transaction(async (scope) => {
        const logged = await storeWithin(scope, link, stream, current);
        await within(scope);
        return logged;
      });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      current = await readAgain(link, stream, current, error.keys);
    }
  }
}

async function storeWithin(scope: Scope, { platform }: Link, stream: Stream, given: PageToStore): Promise<Stretch> {
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
  link: Link,
  stream: Stream,
  given: PageToStore,
  keys: ReadonlySet<string>,
): Promise<PageToStore> {
  const since = await logEnd(link.scope);
  const rows: RawRow[] = given.page.rows.filter(({ key }) => !keys.has(key));
  const deleted = (given.page.deleted ?? []).filter((key) => !keys.has(key));
  for (const key of keys) {
    const row = await link.broker.run('sync', () => link.driver.read(stream, key));
    if (row) rows.push({ key, row });
    else deleted.push(key);
  }
  return { ...given, page: { rows, deleted }, since };
}
