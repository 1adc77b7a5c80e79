import type { Row } from '../driver.ts';

/** A request to a system's own HTTP API, as a client of this service sends it. */
export interface PassthroughRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the system, percent-encoded, without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A JSON value; undefined: none. */
  readonly body?: unknown;
}

/** What a system responded, whatever its status. */
export interface PassthroughResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of JSON, otherwise text, `{ base64 }` of bytes that are no text, or null without a body. */
  readonly body: unknown;
  /** Seconds to wait before the next call, if the system asks for a pause. */
  readonly retryAfter?: number | undefined;
}

/** One SELECT with parameters `$1`, `$2` and so on. */
export interface PassthroughStatement {
  readonly statement: string;
  readonly parameters: readonly (string | number | boolean | null)[];
}

/** The first rows of a SELECT, and whether there are more. */
export interface SelectedRows {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * Calls of a system's own interface with the credentials of the connection. The address and the headers were checked before
 * (`passthroughFault`); a driver checks once more that the request stays below the address of the system.
 */
export interface Passthrough {
  /** Sends an HTTP request once. Absent: the system has no HTTP API. */
  send?(request: PassthroughRequest): Promise<PassthroughResponse>;
  /** Runs a SELECT in a transaction that can only read. Absent: the system is not reached through its database. */
  select?(statement: PassthroughStatement): Promise<SelectedRows>;
}

/** Bytes of a response, at most. */
export const LARGEST_RESPONSE = 8_000_000;
/** Milliseconds that a call may take, at most. */
export const LONGEST_CALL = 30_000;
/** Rows of a statement, at most. */
export const MOST_ROWS = 1_000;
