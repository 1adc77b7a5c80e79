import { checkAgainstDocument, JSON_TYPE, operationAt } from './document-check.ts';

/** A response that matches the document, as tests see it. */
export interface CheckedResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  /** Sent as `multipart/form-data`. */
  readonly form?: FormData;
  /** Sent as a stream. */
  readonly stream?: AsyncIterable<Uint8Array>;
}

/** Bytes of a file; undefined for a response without a body. */
function bytesOf(response: Response, bytes: Buffer): Buffer | undefined {
  return response.headers.has('Content-Type') ? bytes : undefined;
}

/** Sends a request and fails if the response differs from the document. */
export async function checkedFetch<Body>(
  url: string,
  { method = 'GET', headers = {}, json, text, form, stream }: Sent = {},
): Promise<CheckedResponse<Body>> {
  const payload = stream ?? form ?? text ?? (json === undefined ? undefined : JSON.stringify(json));
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const init = {
    method,
    headers: { ...type, ...headers },
    redirect: 'manual',
    // A stream can only be sent in this mode.
    ...(stream && { duplex: 'half' as const }),
    ...(payload !== undefined && { body: payload }),
  } as const;
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('Content-Type') === JSON_TYPE;
  const answered = isJson ? bytes.toString() : '';
  const { pathname } = new URL(url);
  checkAgainstDocument(operationAt(method, pathname), response, answered, {
    isHead: method === 'HEAD',
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? (answered === '' ? undefined : JSON.parse(answered)) : bytesOf(response, bytes)) as Body,
  };
}
