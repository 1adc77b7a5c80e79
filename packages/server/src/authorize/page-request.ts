import type { Headers } from './browser.ts';

/** A request for a page. */
export interface PageRequest {
  readonly headers: Headers;
  /** The text after the `?`. */
  readonly queryText: string;
  readonly requestId: string;
  /** IP address of the client. */
  readonly address: string;
}

/** A submitted form. Fields without a value are absent. */
export type Form = Readonly<Record<string, string>>;
