import { parseExactJson } from '../exact-number.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions, type HttpRequest } from '../http/http-client.ts';
import { systemErrorOf } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { httpCall, passedResponse } from '../passthrough/http-call.ts';
import {
  LARGEST_RESPONSE,
  LONGEST_CALL,
  type PassthroughRequest,
  type PassthroughResponse,
} from '../passthrough/passthrough.ts';
import { SystemError } from '../system-error.ts';
import { Authorization } from './authorization.ts';
import { CsrfToken } from './csrf-token.ts';
import type { Metadata } from './metadata/metadata.ts';
import { readMetadata } from './metadata/read-metadata.ts';
import type { PlatformOptions } from './options.ts';
import { isFromService, notFromService, refusalOf, type Sent } from './refusal.ts';
import type { ODataSettings } from './settings.ts';

/** One request to the service. */
export interface ODataRequest {
  readonly method: HttpRequest['method'];
  /** Below the address of the service, percent-encoded, with its query. */
  readonly path: string;
  /** Value of the JSON body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request can change something, so that its outcome is unknown without a response. */
  readonly changes?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** A body that this driver does not encode as JSON. */
  readonly text?: string;
  /** Whether it is a passthrough request, whose client gets the response whatever its status. */
  readonly isPassed?: boolean;
  /** Defaults to the limits of the client. */
  readonly limits?: Pick<HttpRequest, 'timeoutMs' | 'maxBodyBytes'>;
}

/** A response with a success status. */
export interface ODataResponse {
  /** The JSON value; null without a body. */
  readonly value: unknown;
  readonly headers: HttpResponse['headers'];
  /** The server's clock in milliseconds since 1970, in whole seconds. */
  readonly serverTime: number;
}

/** Calls of one user to one service. */
export class ODataSession {
  readonly #settings: ODataSettings;
  readonly #http: HttpClient;
  /** For a token address on a different host. */
  readonly #tokens: HttpClient | undefined;
  readonly #authorization: Authorization;
  readonly #csrf: CsrfToken;
  readonly #errors: PlatformOptions['errors'];
  readonly #none: ReadonlySet<unknown>;
  /** How lists are read page by page. */
  readonly paging: NonNullable<PlatformOptions['paging']>;
  #metadata: Promise<Metadata> | undefined;

  /** `limits` apply to responses, and default to the limits of the client. */
  constructor(
    settings: ODataSettings,
    limits: Pick<HttpClientOptions, 'maxBodyBytes'> = {},
    { paging = 'keys', errors, none = [] }: PlatformOptions = {},
  ) {
    const { timeoutMs, allowPrivateHosts, credentials } = settings;
    this.#settings = settings;
    this.paging = paging;
    this.#errors = errors;
    this.#none = new Set(none);
    this.#http = createHttpClient({ timeoutMs, allowPrivate: allowPrivateHosts, ...limits });
    const tokens = tokenClient(settings, limits);
    this.#tokens = tokens;
    this.#authorization = new Authorization(credentials, tokens ?? this.#http);
    this.#csrf = new CsrfToken(() => this.#send({ method: 'GET', path: '', headers: { 'x-csrf-token': 'Fetch' } }));
  }

  /** The description of the service, read once. */
  metadata(): Promise<Metadata> {
    this.#metadata ??= this.#describe().catch((error: unknown) => {
      this.#metadata = undefined;
      throw error;
    });
    return this.#metadata;
  }

  /** Sends a request. @throws {SystemError} unless it succeeds */
  async send(request: ODataRequest): Promise<ODataResponse> {
    const { version } = await this.metadata();
    const headers = { ...headersOf(version, request.body !== undefined), ...request.headers };
    const response = await this.#accepted({ ...request, headers });
    return successOf(response, this.#sent(request.method, request.changes));
  }

  /** Requests the address of the service. Its content can have any form. @throws {SystemError} */
  async check(): Promise<void> {
    await this.metadata();
    const response = await this.#send({ method: 'GET', path: '' });
    if (response.status < 200 || response.status >= 300) throw refusalOf(response, this.#sent('GET'));
    if (isPage(response)) throw pageInsteadOfData(response);
  }

  /** Requests one entity; null if the service reports that it does not exist. @throws {SystemError} */
  async find(path: string): Promise<ODataResponse | null> {
    const { version } = await this.metadata();
    const response = await this.#send({ method: 'GET', path, headers: headersOf(version, false) });
    const isAbsent = response.status === 404 || response.status === 410;
    if (!isAbsent) return successOf(response, this.#sent('GET'));
    if (isFromService(response)) return null;
    throw notFromService(response.status);
  }

  /** The part of an address below that of the service. @throws {SystemError} `invalid` if it is elsewhere */
  pathOf(address: string): string {
    const { service } = this.#settings;
    const url = URL.canParse(address, service.href) ? new URL(address, service) : null;
    if (url?.origin === service.origin && url.pathname.startsWith(service.pathname)) {
      return `${url.pathname.slice(service.pathname.length)}${url.search}`;
    }
    throw new SystemError('invalid', 'The service continues a list at another address, which is not called', {
      cause: address.slice(0, 200),
    });
  }

  /** Sends a call from a client of this service, and returns the response whatever its status. @throws {SystemError} */
  async passThrough(request: PassthroughRequest): Promise<PassthroughResponse> {
    const { service, timeoutMs } = this.#settings;
    const { method, url, headers, body } = httpCall(service.href.slice(0, -1), request, ['sap-client']);
    const call = {
      ...{ method, headers, path: this.pathOf(url.href), changes: method !== 'GET', isPassed: true },
      ...(body !== undefined && { text: body }),
      limits: { timeoutMs: Math.min(timeoutMs, LONGEST_CALL), maxBodyBytes: LARGEST_RESPONSE },
    };
    return passedResponse(await this.#accepted(call));
  }

  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#tokens?.close()]);
  }

  async #describe(): Promise<Metadata> {
    const { description } = this.#settings;
    const response = await this.#send({ method: 'GET', path: '', headers: { accept: 'application/xml' } }, description);
    if (response.status !== 200) throw refusalOf(response, this.#sent('GET'));
    if (isPage(response)) throw pageInsteadOfData(response);
    return { ...readMetadata(response.body), none: this.#none };
  }

  /** Repeats a change once with a new CSRF token: a request without a valid one was not carried out. */
  async #accepted(request: ODataRequest): Promise<HttpResponse> {
    if (!request.changes) return this.#send(request);
    const used = this.#csrf.headers;
    const response = await this.#send({ ...request, headers: { ...request.headers, ...used } });
    if (response.status !== 403 || String(response.headers['x-csrf-token']).toLowerCase() !== 'required')
      return response;
    const renewed = await this.#csrf.renewed(used);
    return this.#send({ ...request, headers: { ...request.headers, ...renewed } });
  }

  /** Repeats a request once with a new token: one that was refused with status 401 was not carried out. */
  async #send(request: ODataRequest, url = new URL(`${this.#settings.service.href}${request.path}`)) {
    const authorization = await this.#authorization.header();
    const response = await this.#once(request, url, authorization);
    if (response.status !== 401) return response;
    if (!this.#authorization.renews(authorization)) {
      if (request.isPassed) return response;
      throw this.#authorization.refuse(refusalOf(response, this.#sent(request.method)));
    }
    return this.#once(request, url, await this.#authorization.header());
  }

  #sent(method: string, changes = false): Sent {
    return { method, changes, ...(this.#errors && { errors: this.#errors }) };
  }

  #once(request: ODataRequest, url: URL, authorization: string | undefined): Promise<HttpResponse> {
    const { sapClient } = this.#settings;
    const { changes = false, signal, body, text, limits } = request;
    return this.#http
      .send({
        method: request.method,
        url,
        headers: {
          ...request.headers,
          ...(authorization !== undefined && { authorization }),
          ...(sapClient !== undefined && { 'sap-client': sapClient }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(text !== undefined && { body: text }),
        ownSocket: changes,
        ...(signal && { signal }),
        ...limits,
      })
      .catch((error: unknown) => Promise.reject(systemErrorOf(error, { changes })));
  }
}

/** A client for a token address on a different host: `allowPrivateHosts` applies only to that of the service. */
function tokenClient(
  { timeoutMs, credentials, service }: ODataSettings,
  limits: Pick<HttpClientOptions, 'maxBodyBytes'>,
): HttpClient | undefined {
  if (credentials.kind !== 'client' || credentials.tokenUrl.origin === service.origin) return undefined;
  return createHttpClient({ timeoutMs, ...limits });
}

/** Numbers keep all digits only as strings, which V4 sends only on request. */
function headersOf(version: 2 | 4, hasBody: boolean): Record<string, string> {
  if (version === 2) {
    return {
      accept: 'application/json',
      maxdataserviceversion: '2.0',
      ...(hasBody && { 'content-type': 'application/json' }),
    };
  }
  const accept = 'application/json;odata.metadata=minimal;IEEE754Compatible=true';
  return {
    accept,
    'odata-maxversion': '4.0',
    ...(hasBody && { 'odata-version': '4.0', 'content-type': 'application/json;IEEE754Compatible=true' }),
  };
}

function successOf(response: HttpResponse, sent: Sent): ODataResponse {
  const { status, headers } = response;
  if (status < 200 || status >= 300) throw refusalOf(response, sent);
  return { value: contentOf(response, sent), headers, serverTime: timeOf(response) };
}

/** The service may have carried out a change whose response was replaced by a page, so it must not be repeated unseen. */
function contentOf(response: HttpResponse, { changes }: Sent): unknown {
  const { body } = response;
  if (body.length === 0) return null;
  if (isPage(response)) throw changes ? pageAfterChange() : pageInsteadOfData(response);
  try {
    return parseExactJson(body.toString('utf8'));
  } catch {
    const cause = body.subarray(0, 80).toString('utf8').replace(/\s+/g, ' ');
    throw new SystemError('invalid', 'The response from the service is not JSON', { cause });
  }
}

function isPage({ headers, body }: HttpResponse): boolean {
  const beginning = body.subarray(0, 100).toString('latin1').trimStart().toLowerCase();
  return String(headers['content-type']).includes('html') || /^<(!doctype )?html/.test(beginning);
}

/** A page with a form is one to sign in. Proxies return others, for example during maintenance. */
function pageInsteadOfData({ body }: HttpResponse): SystemError {
  if (/<form\b|type\s*=\s*["']?password/i.test(body.toString('latin1')))
    return new SystemError('unauthorized', 'The service returned a page to sign in instead of data');
  return new SystemError('unavailable', 'The service returned a page instead of data');
}

function pageAfterChange(): SystemError {
  return new SystemError('unknown', 'A page was returned instead of the response from the service to a change');
}

function timeOf({ headers }: HttpResponse): number {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}
