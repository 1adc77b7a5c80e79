import { ServiceError } from '@unified/contract';
import { type Scope, type StoredWrite, writeById } from '@unified/store';

/** A write of the connection. Throws SERVICE_NOT_FOUND. */
export async function storedWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  const write = await writeById(scope, writeId);
  if (write) return write;
  throw new ServiceError('SERVICE_NOT_FOUND', 'There is no such write record on this connection.');
}
