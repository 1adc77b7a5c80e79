import { type Driver, type Stream, SystemError } from '@unified/connectors';
import type { WithheldDeletes } from './stream-memory.ts';

/** Streams with fewer rows can lose all of them. */
const FEWEST_ROWS = 20;

const DEFAULT_LIMIT = 50;

/**
 * The rows that a full pass did not find, if they are so many that they are more likely lost than deleted; null otherwise. The
 * stream had `rows` rows, including the missing ones.
 */
export function withheldOf(
  { deleteLimit = DEFAULT_LIMIT }: Pick<Stream, 'deleteLimit'>,
  missing: number,
  rows: number,
): WithheldDeletes | null {
  const isOrdinary = deleteLimit === null || rows < FEWEST_ROWS || missing * 100 < deleteLimit * rows;
  return isOrdinary || missing === 0 ? null : { missing, rows };
}

/**
 * The error of a stream whose rows are not deleted, for the person who can confirm the deletion. The stream was read, so the next
 * run is not sooner than after a success.
 */
export class DeletesWithheld extends SystemError {
  constructor(stream: Stream, { missing, rows }: WithheldDeletes, driver: Driver) {
    const origin = driver.origin?.(stream);
    const place = origin === undefined || origin === stream.name ? stream.name : `${stream.name} (${origin})`;
    const counts = missing === rows ? `any of its ${rows} rows` : `${missing} of its ${rows} rows`;
    super(
      'rejected',
      `${place} no longer has ${counts}, so it may be incomplete. Their records stay as they are; all other changes were stored. ` +
        `If the rows were deleted, start a full synchronization of ${stream.name} with acceptDeletes to delete their records. ` +
        'Otherwise, restore the rows.',
    );
  }
}
