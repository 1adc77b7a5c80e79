import { readFileSync } from 'node:fs';
import { type Answer, ServiceError } from '@unified/contract';
import { connectionById } from '@unified/store';
import type { Services } from './context.ts';

const NO_CONNECTION = '00000000-0000-0000-0000-000000000000';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Answers 200 when the database answers. Throws `SERVICE_UNAVAILABLE` otherwise. */
export async function getHealth(_request: unknown, { store }: Services): Promise<Answer<'getHealth'>> {
  try {
    // Finds nothing, which only a database that answers can say.
    await connectionById(store, NO_CONNECTION);
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The database cannot be reached.', { cause, retryAfter: 5 });
  }
  return { status: 200, body: { status: 'ok', version } };
}
