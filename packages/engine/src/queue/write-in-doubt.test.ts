import { ServiceError } from '@unified/contract';
import { expect, test } from 'vitest';
import { orInDoubt } from './write-in-doubt.ts';

const lost = new ServiceError('SERVICE_UNAVAILABLE', 'The database is not reachable.');
const failing = (queued: string | undefined, error: Error) =>
  orInDoubt(
    () => queued,
    () => Promise.reject(error),
  );

test('a write that may have been queued is in doubt when the database is lost', async () => {
  await expect(failing('w1', lost)).rejects.toMatchObject({
    ...{ code: 'SERVICE_OUTCOME_UNKNOWN', writeId: 'w1', details: [{ writeId: 'w1' }], retryAfter: 1, cause: lost },
  });
});

test('a write that was not queued, and one that failed for another reason, are not', async () => {
  await expect(failing(undefined, lost)).rejects.toBe(lost);
  const refused = new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection was removed.');
  await expect(failing('w1', refused)).rejects.toBe(refused);
});
