import { cutText } from '../cut-text.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions, type HttpRequest } from '../http/http-client.ts';
import { systemErrorOf } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import type { SecretIssued } from '../known-secrets.ts';
import { tokenHttp } from '../oauth/token-http.ts';
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
import { hasExactNumbers, jsonOf, type NumberForm, NumberForms } from './exact-values.ts';
import type { Metadata } from './metadata/metadata.ts';
import { readMetadata } from './metadata/read-metadata.ts';
import type { PlatformOptions } from './options.ts';
import { isFromService, notFromService, refusalOf, type Sent } from './refusal.ts';
import { contentOf, isPage, pageInsteadOfData } from './response-content.ts';
import { credentialSettings, type ODataSettings } from './settings.ts';

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
}

/** A request as it is sent. */
interface EncodedRequest extends Omit<ODataRequest, 'body'> {
  /** The body. */
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
  readonly #numbers: NumberForms;
  /** How lists are read page by page. */
  readonly paging: NonNullable<PlatformOptions['paging']>;
  #metadata: Promise<Metadata> | undefined;

  /** `limits` apply to responses, and default to the limits of the client. */
  constructor(
    settings: ODataSettings,
    { secretIssued, ...limits }: Pick<HttpClientOptions, 'maxBodyBytes'> & { readonly secretIssued: SecretIssued },
    { paging = 'keys', errors, none = [], decimals }: PlatformOptions = {},
  ) {
    const { timeoutMs, allowPrivateHosts, credentials } = settings;
    this.#settings = settings;
    this.paging = paging;
    this.#errors = errors;
    this.#none = new Set(none);
    this.#numbers = new NumberForms(decimals);
    this.#http = createHttpClient({ timeoutMs, allowPrivate: allowPrivateHosts, ...limits });
    const { service } = settings;
    const tokens =
      credentials.kind === 'client'
        ? tokenHttp({ ...credentials, system: service }, { timeoutMs, ...limits })
        : undefined;
    this.#tokens = tokens;
    this.#authorization = new Authorization(credentials, tokens ?? this.#http, secretIssued);
    this.#csrf = new CsrfToken(async () => {
      const response = await this.#send({ method: 'GET', path: '', headers: { 'x-csrf-token': 'Fetch' } });
      if (response.status >= 300) throw refusalOf(response, this.#sent('GET'));
      return response;
    }, secretIssued);
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
    const { body, ...rest } = request;
    const form = body === undefined ? undefined : await this.#formFor(request);
    const headers = { ...headersOf(version, form), ...request.headers };
    const response = await this.#accepted({ ...rest, headers, ...(form && { text: jsonOf(body, form) }) });
    return this.#successOf(response, this.#sent(request.method, request.changes));
  }

  /** Requests the address of the service. Its content can have any form. @throws {SystemError} */
  async check(): Promise<void> {
    await this.metadata();
    const response = await this.#send({ method: 'GET', path: '' });
    if (response.status < 200 || response.status >= 300) throw refusalOf(response, this.#sent('GET'));
    if (isPage(response)) throw pageInsteadOfData(response, this.#sent('GET'));
  }

  /** Requests one entity; null if the service reports that it does not exist. @throws {SystemError} */
  async find(path: string): Promise<ODataResponse | null> {
    const { version } = await this.metadata();
    const response = await this.#send({ method: 'GET', path, headers: headersOf(version) });
    const isAbsent = response.status === 404 || response.status === 410;
    if (!isAbsent) return this.#successOf(response, this.#sent('GET'));
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
    throw new SystemError(
      'invalid',
      'The service continues a list at another address, which is not called. Check the setting "url"',
      {
        cause: cutText(address, 200),
      },
    );
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
    if (isPage(response)) throw pageInsteadOfData(response, this.#sent('GET'));
    return { ...readMetadata(response.body), none: this.#none };
  }

  /** Repeats a change once with a new CSRF token: a request without a valid one was not carried out. */
  async #accepted(request: EncodedRequest): Promise<HttpResponse> {
    if (!request.changes) return this.#send(request);
    const used = this.#csrf.inUse();
    const response = await this.#send({ ...request, headers: { ...request.headers, ...used } });
    if (response.status !== 403 || String(response.headers['x-csrf-token']).toLowerCase() !== 'required')
      return response;
    const renewed = await this.#csrf.renewed(used);
    return this.#send({ ...request, headers: { ...request.headers, ...renewed } });
  }

  /** Repeats a request once with a new token: one that was refused with status 401 was not carried out. */
  async #send(request: EncodedRequest, url = new URL(`${this.#settings.service.href}${request.path}`)) {
    const authorization = await this.#authorization.header();
    const response = await this.#once(request, url, authorization);
    if (response.status !== 401) return response;
    if (!this.#authorization.renews(authorization)) {
      if (request.isPassed) return response;
      throw this.#authorization.refuse(refusalOf(response, this.#sent(request.method)));
    }
    return this.#once(request, url, await this.#authorization.header());
  }

  /** The form of decimals in a body. If the service has returned no entity yet, one is requested from the set that is posted to. */
  async #formFor({ method, path, body }: ODataRequest): Promise<NumberForm> {
    if (this.#numbers.current === undefined && method === 'POST' && hasExactNumbers(body)) {
      await this.find(`${path}?$top=1`);
    }
    return this.#numbers.current ?? 'numbers';
  }

  #successOf(response: HttpResponse, sent: Sent): ODataResponse {
    const { status, headers } = response;
    if (status < 200 || status >= 300) throw refusalOf(response, sent);
    const value = contentOf(response, sent);
    if (value !== null) this.#numbers.note(headers['content-type']);
    return { value, headers, serverTime: timeOf(response) };
  }

  #sent(method: string, changes = false): Sent {
    const credentials = credentialSettings(this.#settings.credentials);
    return { method, changes, credentials, ...(this.#errors && { errors: this.#errors }) };
  }

  #once(request: EncodedRequest, url: URL, authorization: string | undefined): Promise<HttpResponse> {
    const { sapClient } = this.#settings;
    const { changes = false, signal, text, limits } = request;
    return this.#http
      .send({
        method: request.method,
        url,
        headers: {
          ...request.headers,
          ...(authorization !== undefined && { authorization }),
          ...(sapClient !== undefined && { 'sap-client': sapClient }),
        },
        ...(text !== undefined && { body: text }),
        ownSocket: changes,
        ...(signal && { signal }),
        ...limits,
      })
      .catch((error: unknown) => Promise.reject(systemErrorOf(error, { changes })));
  }
}

/** Numbers keep all digits only as strings, which V4 sends only on request. `form` is that of the body, if there is one. */
function headersOf(version: 2 | 4, form?: NumberForm): Record<string, string> {
  if (version === 2) {
    return {
      accept: 'application/json',
      maxdataserviceversion: '2.0',
      ...(form && { 'content-type': 'application/json' }),
    };
  }
  const content = form === 'strings' ? 'application/json;IEEE754Compatible=true' : 'application/json';
  return {
    accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true',
    'odata-maxversion': '4.0',
    ...(form && { 'odata-version': '4.0', 'content-type': content }),
  };
}

function timeOf({ headers }: HttpResponse): number {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}
