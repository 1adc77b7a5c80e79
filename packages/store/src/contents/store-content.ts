import { v7 as newId } from 'uuid';
import type { ContentPlace } from '../access/content-storage.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { type ContentDigest, digesting } from './content-digest.ts';

/**
 * Stores bytes as a content of the connection and computes their checksum at the same time. Identical bytes are stored once.
 * Nothing is stored if `bytes` throws; `sweepContents` removes what a killed process leaves behind. The content itself is
 * removed as well, unless a write or a record refers to its checksum within an hour.
 */
export async function storeContent(scope: Scope, bytes: AsyncIterable<Uint8Array>): Promise<ContentDigest> {
  const place = { scope, contentId: newId() };
  await noteArrival(scope, place.contentId);
  try {
    const passing = digesting(bytes);
    await scope.contents.put(place, passing.bytes);
    const stored = passing.result();
    if ((await settle(scope, place.contentId, stored)) !== place.contentId) await removeLoose(place);
    return stored;
  } catch (error) {
    // If this fails as well, the sweep removes them.
    await removeLoose(place).catch(() => {});
    throw error;
  }
}

async function noteArrival(scope: Scope, contentId: string): Promise<void> {
  await sessionOf(scope).run('insert into unified.loose_contents (connection_id, "contentId") values ($1, $2)', [
    scope.connectionId,
    contentId,
  ]);
}

/**
 * Registers the bytes as a content, unless the connection has one with the same checksum; returns the id of the one
 * that is kept.
 */
function settle(scope: Scope, contentId: string, { sha256, sizeBytes }: ContentDigest): Promise<string> {
  return scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    const [kept] = await session.run<{ contentId: string }>(
      `insert into unified.contents as known (connection_id, "contentId", sha256, "sizeBytes") values ($1, $2, $3, $4)
       on conflict (connection_id, sha256) do update set "storedAt" = now() returning "contentId"`,
      [scope.connectionId, contentId, sha256, sizeBytes],
    );
    if (kept?.contentId === contentId) {
      await session.run('delete from unified.loose_contents where connection_id = $1 and "contentId" = $2', [
        scope.connectionId,
        contentId,
      ]);
    }
    return kept?.contentId ?? contentId;
  });
}

/** Removes bytes that belong to no content, and then their entry, so that an interrupted removal is repeated. */
export async function removeLoose(place: ContentPlace): Promise<void> {
  const { scope, contentId } = place;
  await scope.contents.remove(place);
  await sessionOf(scope).run('delete from unified.loose_contents where connection_id = $1 and "contentId" = $2', [
    scope.connectionId,
    contentId,
  ]);
}
