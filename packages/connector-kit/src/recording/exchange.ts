import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../system-under-test.ts';

/** Whether a request contains the credentials of the recording, wrong ones, or none. */
export type Access = 'granted' | 'refused' | 'none';

/** A request without secrets, in the form in which it is compared. */
export interface RecordedRequest {
  readonly method: string;
  /** With the query, as it was sent to the proxy. */
  readonly path: string;
  /** In alphabetical order, without those of the connection and those with credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly access: Access;
}

/** A response without secrets. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Set if the body is not a text. */
  readonly encoding?: 'base64';
}

export interface Exchange {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/** The exchanges of a system, in the order in which they took place. */
export interface Recording {
  /** Id of the platform. */
  readonly platform: string;
  /** `2026-11-26` */
  readonly recordedOn: string;
  /** Maximum number of rows that were read from each stream. */
  readonly rows: number;
  /** Those of the connection, with replaced secrets and addresses. */
  readonly settings: Settings;
  readonly exchanges: readonly Exchange[];
}
