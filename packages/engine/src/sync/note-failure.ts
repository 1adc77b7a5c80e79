import { type Stream, SystemError } from '@unified/connectors';
import { saveSyncState } from '@unified/store';
import type { DriverSession } from '../drivers/driver-session.ts';
import { failureOf } from '../drivers/failure.ts';

/**
 * Notes why a stream was not synchronised, and when that is tried again. A place within a pass that the system refuses is
 * forgotten: the next run begins anew.
 */
export async function noteFailure(
  { scope }: DriverSession,
  stream: Stream,
  error: unknown,
  nextRunAt: string,
): Promise<void> {
  const refused = error instanceof SystemError && error.kind === 'rejected';
  const { message } = failureOf(error);
  await saveSyncState(scope, stream.name, {
    error: message,
    runningSince: null,
    nextRunAt,
    ...(refused && { passId: null }),
  });
}
