import { hash } from 'node:crypto';
import { ServiceError, spokenName } from '@unified/contract';

/** Identifies a version of a record by its JSON text. */
export function recordHash(doc: string): string {
  return hash('sha256', doc, 'base64url');
}

/** Throws `SERVICE_PRECONDITION_FAILED` unless a record has one of these hashes. */
export function checkVersion(entity: string, doc: string | undefined, hashes: readonly string[]): void {
  if (doc !== undefined && hashes.includes(recordHash(doc))) return;
  const message = `The ${spokenName(entity)} has changed since it was read. Read it again, then decide whether to repeat the write.`;
  throw new ServiceError('SERVICE_PRECONDITION_FAILED', message);
}
