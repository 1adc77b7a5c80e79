import { failureLevel } from '@unified/store';
import type { Logger } from 'pino';
import type { HttpResponse } from '../../http-response.ts';

/**
 * Adds the position of the data to a response. If it cannot be read, the response is sent without one: its outcome is known, and
 * must not be lost. After a failure of the service, it is not read, since the database may be the cause.
 */
export async function withDataPosition(
  answer: HttpResponse,
  position: (() => Promise<string | undefined>) | undefined,
  log: Logger,
): Promise<HttpResponse> {
  if (!position || answer.status >= 500) return answer;
  const found = await position().catch((err: unknown) => {
    log[failureLevel(err)]({ err }, 'a response was sent without the position of the data');
    return undefined;
  });
  return found === undefined ? answer : { ...answer, headers: { ...answer.headers, 'Data-Position': found } };
}
