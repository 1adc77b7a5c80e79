import { checkAgainstDocument, operationAt } from './document-check.ts';

/** What a test sees of an answer that was found to be as the document says. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
}

/** Sends a request and fails when the answer differs from the document. */
export async function checkedFetch<Body>(
  url: string,
  { method = 'GET', headers = {}, json, text }: Sent = {},
): Promise<Answer<Body>> {
  const payload = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const init = {
    method,
    headers: { ...type, ...headers },
    redirect: 'manual',
    ...(payload !== undefined && { body: payload }),
  } as const;
  const response = await fetch(url, init);
  const answered = await response.text();
  const { pathname, searchParams } = new URL(url);
  checkAgainstDocument(operationAt(method, pathname), response, answered, {
    isHead: method === 'HEAD',
    isSparse: searchParams.has('fields'),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (answered === '' ? undefined : JSON.parse(answered)) as Body,
  };
}
