import type { Row } from '../driver.ts';

/** A request to a system's own HTTP API, as a client of this service sends it. */
export interface PassthroughRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the system, percent-encoded, without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A JSON value; undefined if there is no body. */
  readonly body?: unknown;
}

/** What a system responded, whatever its status. */
export interface PassthroughResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed value of JSON; otherwise text, `{ base64 }` for bytes that are not text, or null without a body. */
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
 * Calls to the system's own interface with the credentials of the connection. The address and headers have already been checked
 * (`passthroughFault`); a driver checks again that the request stays below the address of the system.
 */
export interface Passthrough {
  /** Sends an HTTP request once. Absent if the system has no HTTP API. */
  send?(request: PassthroughRequest): Promise<PassthroughResponse>;
  /** Runs a SELECT in a transaction that can only read. Absent if the system is not reached through its database. */
  select?(statement: PassthroughStatement): Promise<SelectedRows>;
}

/** Maximum size of a response in bytes. */
export const LARGEST_RESPONSE = 8_000_000;
/** Maximum duration of a call in milliseconds. */
export const LONGEST_CALL = 30_000;
/** Maximum number of rows that a statement returns. */
export const MOST_ROWS = 1_000;
