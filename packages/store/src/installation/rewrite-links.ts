import { dataPrefix, type Entity, recordAddress } from '@unified/contract';
import { sessionOf } from '../access/scope.ts';
import { asOwner, internalsOf, type Store } from '../access/store.ts';
import { lockChangeCursor } from '../changes/change-log.ts';
import type { Session } from '../sql/session.ts';
import { tableOf } from '../tables/derive-table.ts';
import { storedEntities } from '../tables/derive-view.ts';
import { keepAddress, storedAddress } from './public-address.ts';

/**
 * If the store's public URL differs from the stored one, rewrites the references in stored documents and the addresses of files
 * to begin with it, and stores it. Returns the number of documents rewritten; 0 when the URL is the same. Call it after
 * `migrate`, and only while no other process writes links: see `joinInstallation`.
 */
export async function rewriteLinks(store: Store, isSet = false): Promise<number> {
  const { owner } = internalsOf(store);
  const before = await storedAddress(owner);
  const address = { url: store.publicUrl, isSet };
  const count = before === null || before.url === address.url ? 0 : await rewriteAll(store, before.url);
  if (before?.url !== address.url || before.isSet !== isSet) await keepAddress(owner, address);
  return count;
}

async function rewriteAll(store: Store, before: string): Promise<number> {
  const { rows } = await asOwner<{ id: string; applicationId: string }>(
    store,
    'select id, "applicationId" from unified.connections order by id',
  );
  let count = 0;
  for (const { id, applicationId } of rows) {
    count += await rewriteConnection(store, { connectionId: id, applicationId }, before);
  }
  return count;
}

/** Files in our storage have the address of their record, which is also in a column. */
async function rewriteAddresses(
  session: Session,
  entity: Entity,
  connectionId: string,
  [before, after]: readonly [string, string],
): Promise<number> {
  const address = (root: string) => recordAddress(root, entity.collection, '');
  const property = (root: string) => `"url":${JSON.stringify(address(root)).slice(0, -1)}`;
  const changed = await session.run<{ id: string }>(
    `update ${tableOf(entity)} set doc = replace(doc::text, $2, $3)::json, url = $5::text || id::text
      where connection_id = $1 and url = $4::text || id::text returning id`,
    [connectionId, property(before), property(after), address(before), address(after)],
  );
  return changed.length;
}

/** Within JSON text, a quote is written `\\"`, so the pattern can only match a real property. */
async function rewriteConnection(store: Store, of: Parameters<Store['scope']>[0], before: string): Promise<number> {
  const [from, to] = [before, store.publicUrl].map(
    (url) => `"href":${JSON.stringify(`${url}${dataPrefix}/`).slice(0, -1)}`,
  );
  return store.scope(of).transaction(async (scope) => {
    const session = sessionOf(scope);
    await lockChangeCursor(scope);
    let count = 0;
    for (const entity of storedEntities(store.entities)) {
      if (!entity.fields.some(({ targets, fields = [] }) => targets || fields.some((inner) => inner.targets))) continue;
      const changed = await session.run<{ id: string }>(
        `update ${tableOf(entity)} set doc = replace(doc::text, $2, $3)::json
          where connection_id = $1 and position($2 in doc::text) > 0 returning id`,
        [of.connectionId, from ?? '', to ?? ''],
      );
      count += changed.length;
    }
    for (const entity of storedEntities(store.entities).filter(({ holdsFile }) => holdsFile)) {
      count += await rewriteAddresses(session, entity, of.connectionId, [before, store.publicUrl]);
    }
    return count;
  });
}
