import { ServiceError } from '@unified/contract';

/** Which part of a list is asked for: a numbered page, or what follows a cursor. */
export interface Paging {
  readonly limit: number;
  /** Null when the list is read by cursor. */
  readonly page: number | null;
  readonly cursor: string | null;
}

/** The parameters after the check: numbers are such, and defaults filled in. */
export interface PagingParameters {
  readonly page: number;
  readonly per_page: number;
  readonly cursor?: string;
}

/** Reads `page`, `per_page` and `cursor`. Throws `SERVICE_INVALID_PARAMETER` when a page was sent along with a cursor. */
export function parsePaging({ page, per_page, cursor }: PagingParameters, pageWasSent: boolean): Paging {
  if (cursor === undefined) return { limit: per_page, page, cursor: null };
  if (!pageWasSent) return { limit: per_page, page: null, cursor };
  const message = 'page and cursor exclude each other. Send one of them.';
  throw new ServiceError('SERVICE_INVALID_PARAMETER', message, { details: [{ path: 'query/cursor', message }] });
}
