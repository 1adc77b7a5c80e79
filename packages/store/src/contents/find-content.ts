import type { ByteRange } from '../access/content-storage.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import type { ContentDigest } from './content-digest.ts';

/** Bytes that are stored for a connection. */
export interface Content extends ContentDigest {
  readonly contentId: string;
}

/** The content with this checksum; undefined when the connection has none. */
export async function findContent(scope: Scope, sha256: string): Promise<Content | undefined> {
  const [found] = await sessionOf(scope).run<Content>(
    'select "contentId", sha256, "sizeBytes" from unified.contents where connection_id = $1 and sha256 = $2',
    [scope.connectionId, sha256],
  );
  return found;
}

/**
 * Keeps a content for another hour, even if nothing refers to it. Returns false if the connection has no content with this
 * checksum.
 */
export async function keepContent(scope: Scope, sha256: string): Promise<boolean> {
  const kept = await sessionOf(scope).run(
    'update unified.contents set "storedAt" = now() where connection_id = $1 and sha256 = $2 returning sha256',
    [scope.connectionId, sha256],
  );
  return kept.length > 0;
}

/** Returns the bytes of a content, reading them as they are consumed. */
export function openContent(scope: Scope, { contentId }: Content, range: ByteRange): AsyncIterable<Uint8Array> {
  return scope.contents.open({ scope, contentId }, range);
}
