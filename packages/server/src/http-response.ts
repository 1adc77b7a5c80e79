/**
 * A response: a status, and a body that is sent as JSON; `{ json }` is rendered JSON, as text or in UTF-8. With a `type` the
 * body is sent as is, with that media type; a stream of bytes without the header `Content-Length` is sent in chunks. `{ events }` are
 * texts of a stream that pauses.
 */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string | undefined;
  readonly body?: unknown;
}
