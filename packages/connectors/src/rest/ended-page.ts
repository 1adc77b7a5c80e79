import type { PulledPage, PullRequest } from '../driver.ts';
import type { Json } from '../json.ts';
import { isObject } from './json-body.ts';
import { isPause } from './pause.ts';

/** Where a pass continues after its last page, if it could not be ended. */
const AFTER_LAST: Json = { ended: true };

/** Whether only the end of a pass is left. */
export function isAfterLast(from: Json | null): boolean {
  return isObject(from) && from.ended === true;
}

/**
 * The last page of a pass, once `end` has succeeded. If the system cannot be called for it, the page is the one before the last, so
 * that its rows are not read again.
 */
export async function endedPage(
  page: PulledPage,
  { from }: PullRequest,
  end: () => Promise<unknown>,
): Promise<PulledPage> {
  try {
    await end();
    return page;
  } catch (error) {
    if (isAfterLast(from) || !isPause(error)) throw error;
    return { ...page, next: AFTER_LAST };
  }
}
