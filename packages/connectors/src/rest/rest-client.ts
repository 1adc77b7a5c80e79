import type { Row } from '../driver.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions, type HttpRequest } from '../http/http-client.ts';
import { systemErrorOf } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { tokenHttp } from '../oauth/token-http.ts';
import type { TokenStore } from '../oauth/token-store.ts';
import { httpCall, passedResponse } from '../passthrough/http-call.ts';
import {
  LARGEST_RESPONSE,
  LONGEST_CALL,
  type PassthroughRequest,
  type PassthroughResponse,
} from '../passthrough/passthrough.ts';
import { RefusalPause } from '../refusal-pause.ts';
import { SystemError } from '../system-error.ts';
import {
  type Headers,
  type RenewedToken,
  renewedToken,
  secretHeaders,
  sessionHeaders,
  tokenAddress,
} from './authentication.ts';
import { urlOf } from './call-url.ts';
import { failureOf, reasonIn, reportsFailure } from './failure.ts';
import { jsonOf, refusePage } from './json-body.ts';
import type { PlatformOptions, SessionLogin } from './options.ts';
import { type RestSettings, withSettings } from './settings.ts';

/** One call to the system. */
export interface RestCall {
  readonly method?: HttpRequest['method'];
  readonly url: URL;
  readonly body?: string;
  readonly headers?: Headers;
  readonly signal?: AbortSignal | undefined;
  /** Statuses of 400 and above that are returned instead of thrown. */
  readonly expected?: readonly number[];
  /** Whether the call changes data. Depends on its method by default. */
  readonly changes?: boolean;
  /** Defaults to the limits of the client. */
  readonly limits?: Pick<HttpRequest, 'timeoutMs' | 'maxBodyBytes'>;
}

/** Calls a system with the credentials of a connection; logs in when needed, and again when the session has expired. */
export class RestClient {
  readonly base: string;
  /** Display name of the system, for messages. */
  readonly name: string;
  readonly #options: PlatformOptions;
  readonly #settings: RestSettings;
  /** Headers of every call. */
  readonly #headers: Headers;
  readonly #http: HttpClient;
  /** For a token address on a different host. */
  readonly #tokenHttp: HttpClient | undefined;
  readonly #token: RenewedToken | undefined;
  readonly #pause = new RefusalPause();
  #login: Promise<Headers> | undefined;

  /** `limits` apply to responses, and default to the limits of the client. `tokens` keeps the tokens that the system replaces. */
  constructor(
    name: string,
    options: PlatformOptions,
    settings: RestSettings,
    { tokens, ...limits }: Pick<HttpClientOptions, 'maxBodyBytes'> & { readonly tokens: TokenStore },
  ) {
    this.name = name;
    this.base = settings.base;
    this.#options = options;
    this.#settings = settings;
    this.#headers = withSettings(options.headers, settings);
    const { timeoutMs, allowPrivateHosts } = settings;
    this.#http = createHttpClient({ timeoutMs, allowPrivate: allowPrivateHosts, ...limits });
    const tokenUrl = tokenAddress(options, settings);
    this.#tokenHttp = tokenUrl && tokenHttp({ tokenUrl, system: new URL(this.base) }, { timeoutMs, ...limits });
    const http = this.#tokenHttp ?? this.#http;
    this.#token = tokenUrl && renewedToken({ name, options, settings, tokenUrl }, http, tokens);
  }

  /** The JSON of a successful response. @throws {SystemError} `invalid` */
  json(response: HttpResponse): unknown {
    return jsonOf(response, this.name);
  }

  /** Messages in a response, at the places that the platform declares; undefined if there are none. */
  reasonIn(response: HttpResponse): string | undefined {
    return reasonIn(response, this.#options);
  }

  /**
   * Makes the call that only users with access can make. Systems that hide records return empty lists, and 404 for records, once
   * they no longer accept the credentials; without this call, that would look like deletes.
   *
   * @throws {SystemError} `unauthorized` or `forbidden`
   */
  check(): Promise<HttpResponse> {
    const { check } = this.#options;
    if (typeof check === 'string') return this.call({ url: urlOf(this.base, check) });
    return this.call({ url: urlOf(this.base, check.address), ...posted(check.content) });
  }

  /**
   * Sends a call and returns its response, if it is a success, which its body does not contradict, or one of the `expected` statuses.
   *
   * @throws {SystemError} for everything else, and for an HTML page
   */
  async call(call: RestCall): Promise<HttpResponse> {
    const response = await this.#authenticated(call);
    const { status } = response;
    if (status >= 200 && status < 300) {
      refusePage(response, this.name);
      return this.#successful(call, response);
    }
    if (call.expected?.includes(status)) {
      // A proxy that does not find the system also returns 404, with an HTML page or plain text.
      refusePage(response, this.name);
      if (response.body.toString('utf8').trim() !== '') jsonOf(response, this.name);
      return response;
    }
    throw failureOf(response, { name: this.name, options: this.#options, changes: isChange(call) });
  }

  /** A response whose status is that of a success, unless its body reports a failure. A row that does not exist has the status 410. */
  #successful(call: RestCall, response: HttpResponse): HttpResponse {
    if (!reportsFailure(response, this.#options)) return response;
    const failure = failureOf(response, { name: this.name, options: this.#options, changes: isChange(call) });
    if (failure.kind === 'gone' && call.expected?.includes(410)) return { ...response, status: 410 };
    throw failure;
  }

  /** Sends a call from a client of this service, and returns the response whatever its status. @throws {SystemError} */
  async passThrough(request: PassthroughRequest): Promise<PassthroughResponse> {
    const { authentication, headers = {} } = this.#options;
    const secret = authentication.session?.header ?? authentication.header;
    const own = [...Object.keys(headers), ...(secret ? [secret.name] : [])].map((name) => name.toLowerCase());
    const limits = { timeoutMs: Math.min(this.#settings.timeoutMs, LONGEST_CALL), maxBodyBytes: LARGEST_RESPONSE };
    return passedResponse(await this.#authenticated({ ...httpCall(this.base, request, own), limits }));
  }

  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#tokenHttp?.close()]);
  }

  async #authenticated(call: RestCall): Promise<HttpResponse> {
    if (this.#token) return this.#withToken(call, this.#token);
    const { session } = this.#options.authentication;
    if (!session) return this.#send(call, secretHeaders(this.#options.authentication, this.#settings));
    const used = this.#loggedIn(session);
    const response = await this.#send(call, await used);
    if (response.status !== 401) return response;
    // The session has expired. The call was not carried out, so it may be repeated once with a new one.
    if (this.#login === used) this.#login = undefined;
    return this.#send(call, await this.#loggedIn(session));
  }

  async #withToken(call: RestCall, token: RenewedToken): Promise<HttpResponse> {
    const used = await token.current();
    const response = await this.#send(call, { authorization: `Bearer ${used}` });
    // The call was not carried out, so it may be repeated once with a new token.
    if (response.status !== 401 || !token.renews(used)) return response;
    return this.#send(call, { authorization: `Bearer ${await token.current()}` });
  }

  #loggedIn(session: SessionLogin): Promise<Headers> {
    this.#login ??= this.#logIn(session).catch((error: unknown) => {
      this.#login = undefined;
      throw error;
    });
    return this.#login;
  }

  async #logIn(session: SessionLogin): Promise<Headers> {
    this.#pause.check();
    const { user, password } = this.#settings;
    const body = JSON.stringify({ [session.user]: user, [session.password]: password });
    const url = urlOf(this.base, session.address);
    const response = await this.#send({ method: 'POST', url, body, changes: false }, {});
    if (response.status === 401 || response.status === 403) {
      throw this.#pause.begin(new SystemError('unauthorized', `${this.name} refuses the user name or password`));
    }
    if (response.status >= 300) throw this.#loginFailure(response);
    const content = session.token === undefined ? null : jsonOf(response, this.name);
    return sessionHeaders(session, response.headers, content);
  }

  /** A rejected login, such as one with a parameter that the system does not support, means that nothing can be read. */
  #loginFailure(response: HttpResponse): SystemError {
    const failure = failureOf(response, { name: this.name, options: this.#options, changes: false });
    if (failure.kind !== 'rejected') return failure;
    return new SystemError('unauthorized', `${this.name} refuses the login: ${failure.words}`, { cause: failure });
  }

  async #send(call: RestCall, secrets: Headers): Promise<HttpResponse> {
    const { method = 'GET', url, body, headers, signal, limits } = call;
    const changes = isChange(call);
    return this.#http
      .send({
        method,
        url,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...this.#headers,
          ...headers,
          ...secrets,
        },
        ...(body !== undefined && { body }),
        ownSocket: method !== 'GET' && method !== 'HEAD',
        ...(signal && { signal }),
        ...limits,
      })
      .catch((error: unknown) => {
        throw systemErrorOf(error, { changes });
      });
  }
}

/** The parts of a call that reads by a POST request. */
export function posted(content: Row): Pick<RestCall, 'method' | 'body' | 'changes'> {
  return { method: 'POST', body: JSON.stringify(content), changes: false };
}

function isChange({ method = 'GET', changes }: RestCall): boolean {
  return changes ?? (method !== 'GET' && method !== 'HEAD');
}
