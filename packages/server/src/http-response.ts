/**
 * A response: a status, and a body that is sent as JSON; `{ json }` is rendered JSON, as text or in UTF-8, with `isAscii` if it
 * is known to have as many bytes as characters. With a `type`, the body is sent as is, with that media type. A stream of bytes
 * without the header `Content-Length` is sent in chunks. `{ events }` contains the texts of a stream that pauses in between.
 */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string | undefined;
  readonly body?: unknown;
}
