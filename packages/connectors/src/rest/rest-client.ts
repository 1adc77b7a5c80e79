import type { Row } from '../driver.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions, type HttpRequest } from '../http/http-client.ts';
import { systemErrorOf } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import type { SecretIssued } from '../known-secrets.ts';
import type { TokenHost } from '../oauth/refreshed-token.ts';
import { tokenHttp } from '../oauth/token-http.ts';
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
  sessionSecrets,
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
  /** Whether a success with an HTML page is returned instead of thrown. */
  readonly acceptsPage?: boolean;
  /** Defaults to the limits of the client. */
  readonly limits?: Pick<HttpRequest, 'timeoutMs' | 'maxBodyBytes'>;
}

/** The response to a call. */
export interface RestResponse extends HttpResponse {
  /** Whether the system reports that the row does not exist, by an expected status or in the body of a success. */
  readonly isAbsent: boolean;
}

/** Statuses with which systems report that a row does not exist. */
export const ABSENT = [404, 410];

/** A response, with the failure that its status or its body reports. */
interface Received {
  readonly response: HttpResponse;
  readonly failure?: SystemError;
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
  readonly #secretIssued: SecretIssued;
  readonly #pause = new RefusalPause();
  #login: Promise<Headers> | undefined;

  /** `limits` apply to responses, and default to the limits of the client. */
  constructor(
    name: string,
    options: PlatformOptions,
    settings: RestSettings,
    { tokens, secretIssued, ...limits }: Pick<HttpClientOptions, 'maxBodyBytes'> & TokenHost,
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
    this.#token = tokenUrl && renewedToken({ name, options, settings, tokenUrl }, http, { tokens, secretIssued });
    this.#secretIssued = secretIssued;
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
  check(): Promise<RestResponse> {
    const { check } = this.#options;
    if (typeof check === 'string') return this.call({ url: urlOf(this.base, check) });
    return this.call({ url: urlOf(this.base, check.address), ...posted(check.content) });
  }

  /**
   * Sends a call and returns its response, if it is a success, which its body does not contradict, or one of the `expected`
   * statuses.
   *
   * @throws {SystemError} for everything else, and for an HTML page unless the call accepts it
   */
  async call(call: RestCall): Promise<RestResponse> {
    const { response, failure } = await this.#authenticated(call);
    const { expected = [], acceptsPage = false } = call;
    const isExpected = expected.includes(response.status);
    const isGone = failure?.kind === 'gone' && isSuccess(response) && expected.includes(410);
    const isFailed = failure && !isExpected && !isGone;
    // A proxy that does not find the system also returns 404, with an HTML page or plain text.
    if (isFailed ? ABSENT.includes(response.status) : !acceptsPage || isExpected) refusePage(response, this.name);
    if (isFailed) throw failure;
    if (isExpected && response.body.toString('utf8').trim() !== '') jsonOf(response, this.name);
    return { ...response, isAbsent: isGone || (isExpected && ABSENT.includes(response.status)) };
  }

  /** Sends a call from a client of this service, and returns the response whatever its status. @throws {SystemError} */
  async passThrough(request: PassthroughRequest): Promise<PassthroughResponse> {
    const { authentication, headers = {} } = this.#options;
    const secret = authentication.session?.header ?? authentication.header;
    const own = [...Object.keys(headers), ...(secret ? [secret.name] : [])].map((name) => name.toLowerCase());
    const limits = { timeoutMs: Math.min(this.#settings.timeoutMs, LONGEST_CALL), maxBodyBytes: LARGEST_RESPONSE };
    const { response } = await this.#authenticated({ ...httpCall(this.base, request, own), limits });
    return passedResponse(response);
  }

  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#tokenHttp?.close()]);
  }

  async #authenticated(call: RestCall): Promise<Received> {
    if (this.#token) return this.#withToken(call, this.#token);
    const { session } = this.#options.authentication;
    if (!session) return this.#receive(call, secretHeaders(this.#options.authentication, this.#settings));
    const used = this.#loggedIn(session);
    const received = await this.#receive(call, await used);
    if (!isUnauthorized(received)) return received;
    // The session has expired. The call was not carried out, so it may be repeated once with a new one.
    if (this.#login === used) this.#login = undefined;
    return this.#receive(call, await this.#loggedIn(session));
  }

  async #withToken(call: RestCall, token: RenewedToken): Promise<Received> {
    const authorization = await token.header();
    const received = await this.#receive(call, { authorization });
    // The call was not carried out, so it may be repeated once with a new token.
    if (!isUnauthorized(received) || !token.renews(authorization)) return received;
    return this.#receive(call, { authorization: await token.header() });
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
    const { response, failure } = await this.#receive({ method: 'POST', url, body, changes: false }, {});
    if (failure) throw this.#loginFailure(response, failure);
    const content = session.token === undefined ? null : jsonOf(response, this.name);
    const headers = sessionHeaders(session, response.headers, content);
    for (const secret of sessionSecrets(session, headers)) this.#secretIssued(secret);
    return headers;
  }

  /** A rejected login, such as one with a parameter that the system does not support, means that nothing can be read. */
  #loginFailure({ status }: HttpResponse, failure: SystemError): SystemError {
    const isRefused = status === 401 || REFUSALS.has(failure.kind);
    if (!isRefused) return failure;
    const isStated = status === 401 || status === 403;
    const refusal = isStated ? 'refuses the user name or password' : `refuses the login: ${failure.words}`;
    return this.#pause.begin(new SystemError('unauthorized', `${this.name} ${refusal}`, { cause: failure }));
  }

  async #receive(call: RestCall, secrets: Headers): Promise<Received> {
    const response = await this.#send(call, secrets);
    if (isSuccess(response) && !reportsFailure(response, this.#options)) return { response };
    return {
      response,
      failure: failureOf(response, { name: this.name, options: this.#options, changes: isChange(call) }),
    };
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

/** Kinds of failures that mean that a login is refused, and not that the system cannot be called. */
const REFUSALS: ReadonlySet<SystemError['kind']> = new Set(['unauthorized', 'forbidden', 'rejected']);

/** Whether the system did not carry out a call because it does not accept the session or token. */
function isUnauthorized({ response, failure }: Received): boolean {
  return response.status === 401 || failure?.kind === 'unauthorized';
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** The parts of a call that reads by a POST request. */
export function posted(content: Row): Pick<RestCall, 'method' | 'body' | 'changes'> {
  return { method: 'POST', body: JSON.stringify(content), changes: false };
}

function isChange({ method = 'GET', changes }: RestCall): boolean {
  return changes ?? (method !== 'GET' && method !== 'HEAD');
}
