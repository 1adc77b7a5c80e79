import { randomUUID } from 'node:crypto';

const SAFE = /^[\w.:-]{1,100}$/;

/** The id that a request is known by in answers and logs: the client's own where it is harmless, otherwise a new one. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && SAFE.test(sent) ? sent : randomUUID();
}
