import { pathSegment } from './path-segment.ts';

/** Values of headers; null and undefined mean none, and null also removes a header that would be sent otherwise. */
export type HeaderValues =
  | RequestInit['headers']
  | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | null | undefined>>;

/** The parts of a request, before they are encoded. Other options of `fetch` are passed on. */
export interface RequestParts extends Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'> {
  readonly params?:
    | { readonly path?: object | undefined; readonly query?: object | undefined; readonly header?: object | undefined }
    | undefined;
  readonly headers?: HeaderValues;
  /** A form, or a value that is sent as JSON, or as form fields if the headers name their media type. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

const TYPE = 'Content-Type';
const FORM = /x-www-form-urlencoded/i;

/** A request to an address such as `https://api.example.com/v4/vendors/{id}`. */
export function requestOf(
  address: string,
  method: string,
  { params = {}, headers: own, body, ...options }: RequestParts,
): Request {
  const isJson = body !== undefined && !(body instanceof FormData || body instanceof URLSearchParams);
  const headers = headersOf(isJson ? { [TYPE]: 'application/json' } : {}, own, params.header as HeaderValues);
  // The service does not redirect. Another host would get the body, and its response would count as a success.
  const init = {
    redirect: 'manual',
    ...options,
    method: method.toUpperCase(),
    headers,
    body: isJson ? textOf(body, headers) : body,
  };
  return new Request(withValues(address, params.path) + queryOf(params.query), init as RequestInit);
}

function textOf(body: unknown, headers: Headers): string {
  if (!FORM.test(`${headers.get(TYPE)}`)) return JSON.stringify(body);
  // A field without a value would be sent as the text `undefined` or `null`.
  return `${new URLSearchParams(Object.entries(body as object).filter(([, value]) => value != null))}`;
}

/** Later headers replace earlier ones. */
function headersOf(...groups: HeaderValues[]): Headers {
  const headers = new Headers();
  for (const group of groups) {
    const entries = group && Symbol.iterator in group ? new Headers(group as HeadersInit) : Object.entries(group ?? {});
    for (const [name, value] of entries) {
      if (value === null) headers.delete(name);
      else if (value !== undefined) headers.set(name, [value].flat().join(', '));
    }
  }
  return headers;
}

/** The address with values for its `{names}`. A name without a value stays, so that the address is not that of something else. */
function withValues(address: string, values: object = {}): string {
  return address.replaceAll(/\{(\w+)\}/g, (name, key: string) => {
    const value = (values as Record<string, string | number | null | undefined>)[key];
    return value == null ? name : pathSegment(value);
  });
}

function queryOf(parameters: object = {}): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => pairsOf(encodeURIComponent(name), value));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** The items of a list are separated by commas; an object such as a filter has a parameter `filter[key]` for each property. */
function pairsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value))
    return value.length > 0 ? [`${name}=${value.map((item) => encodeURIComponent(item)).join(',')}`] : [];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, part]) => pairsOf(`${name}[${encodeURIComponent(key)}]`, part));
  return value === null || value === undefined ? [] : [`${name}=${encodeURIComponent(value as string)}`];
}
