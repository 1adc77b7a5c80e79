import { randomUUID } from 'node:crypto';

const SAFE = /^[\w.:-]{1,100}$/;

/** The id of a request in responses and logs: the one that the client sent if it is safe, otherwise a new one. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && SAFE.test(sent) ? sent : randomUUID();
}
