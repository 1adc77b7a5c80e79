import { checkedToken } from '../checked-token.ts';
import { decompressed } from '../http/decompressed.ts';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  LONGEST_BODY,
} from '../http/http-client.ts';
import { retryAfterSeconds, systemErrorOf } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import type { SecretIssued } from '../known-secrets.ts';
import { httpCall, passedResponse } from '../passthrough/http-call.ts';
import {
  LARGEST_RESPONSE,
  LONGEST_CALL,
  type PassthroughRequest,
  type PassthroughResponse,
} from '../passthrough/passthrough.ts';
import { RefusalPause } from '../refusal-pause.ts';
import { SystemError } from '../system-error.ts';
import { resultOf } from './response.ts';
import type { TrytonSettings } from './settings.ts';
import { isWireObject, type Wire, type WireObject } from './wire.ts';

/** What a call needs besides its parameters. */
export interface CallOptions {
  /** Whether the call can change something, so that its outcome is unknown without a response. */
  readonly changes?: boolean;
  /** Added to the user's context for this call. */
  readonly context?: WireObject;
  readonly signal?: AbortSignal | undefined;
}

interface Login {
  /** Address of the calls, ending in a slash. */
  readonly address: string;
  readonly userId: number;
  readonly authorization: string;
  /** Company, employee, language and groups of the user. */
  readonly context: WireObject;
}

/** How long the time in a response is used, much less than the seconds by which incremental passes overlap. */
const RECENT_MS = 10_000;

/** A user's session with a Tryton database: logs in when first needed, and again when the session has expired. */
export class TrytonSession {
  readonly #settings: TrytonSettings;
  readonly #http: HttpClient;
  readonly #maxBodyBytes: number;
  readonly #secretIssued: SecretIssued;
  readonly #pause = new RefusalPause();
  #login: Promise<Login> | undefined;
  #calls = 0;
  /** The time in the last response, and when it was received. */
  #clock: { readonly time: number; readonly receivedAt: number } | undefined;

  /** `limits` apply to responses, and default to the limits of the client. */
  constructor(
    settings: TrytonSettings,
    { secretIssued, ...limits }: Pick<HttpClientOptions, 'maxBodyBytes'> & { readonly secretIssued: SecretIssued },
  ) {
    this.#settings = settings;
    this.#secretIssued = secretIssued;
    const { timeoutMs, allowPrivateHosts } = settings;
    this.#maxBodyBytes = limits.maxBodyBytes ?? LONGEST_BODY;
    this.#http = createHttpClient({ timeoutMs, allowPrivate: allowPrivateHosts, ...limits });
  }

  /** Id of the user in Tryton. */
  async userId(): Promise<number> {
    return (await this.#loggedIn()).userId;
  }

  /** Calls a method of a model in the user's context. Returns its result, undecoded. */
  async call(model: string, method: string, params: readonly Wire[], options: CallOptions = {}): Promise<Wire> {
    const name = `model.${model}.${method}`;
    const attempt = async (login: Login) => {
      const context = { ...login.context, ...options.context };
      return this.#post(login.address, name, [...params, context], { ...options, login });
    };
    const used = this.#loggedIn();
    const result = await attempt(await used);
    if (result !== unauthorized) return result;
    // The session has expired. The call was not carried out, so it may be repeated once with a new one.
    if (this.#login === used) this.#login = undefined;
    const again = await attempt(await this.#loggedIn());
    if (again === unauthorized) throw new SystemError('unauthorized', 'Tryton does not accept its own session');
    return again;
  }

  /**
   * The server's clock in milliseconds since 1970, in whole seconds, as of a response in the last seconds. The server is called
   * only if there was none: a sync of many small streams would otherwise make twice as many calls.
   */
  async serverTime(): Promise<number> {
    if (this.#clock && performance.now() - this.#clock.receivedAt < RECENT_MS) return this.#clock.time;
    await this.call('res.user', 'get_preferences', [true]);
    return this.#clock?.time ?? Date.now();
  }

  /** Sends a call from a client of this service, and returns the response whatever its status. @throws {SystemError} */
  async passThrough(request: PassthroughRequest): Promise<PassthroughResponse> {
    const limits = { timeoutMs: Math.min(this.#settings.timeoutMs, LONGEST_CALL), maxBodyBytes: LARGEST_RESPONSE };
    const attempt = ({ address, authorization }: Login) => {
      const call = httpCall(address.slice(0, -1), request);
      const changes = call.method !== 'GET';
      const headers = { ...call.headers, authorization };
      return this.#send({ ...call, ...limits, headers, ownSocket: changes }, changes);
    };
    const used = this.#loggedIn();
    const response = await attempt(await used);
    if (response.status !== 401) return passedResponse(response);
    // As in `call`: the session has expired.
    if (this.#login === used) this.#login = undefined;
    return passedResponse(await attempt(await this.#loggedIn()));
  }

  /** Also ends the session in Tryton, if it can be reached. */
  async close(): Promise<void> {
    const login = await this.#login?.catch(() => undefined);
    this.#login = undefined;
    // A session that cannot be ended expires later.
    if (login) await this.#post(login.address, 'common.db.logout', [], { login }).catch(() => undefined);
    await this.#http.close();
  }

  #loggedIn(): Promise<Login> {
    this.#login ??= this.#logIn().catch((error: unknown) => {
      this.#login = undefined;
      throw error;
    });
    return this.#login;
  }

  async #logIn(): Promise<Login> {
    this.#pause.check();
    const { user, password } = this.#settings;
    const address = await this.#findAddress();
    const result = await this.#post(address, 'common.db.login', [user, { password }, 'en']);
    if (result === unauthorized)
      throw this.#pause.begin(new SystemError('unauthorized', 'Tryton refuses the user name or password'));
    const [userId, session] = Array.isArray(result) ? result : [];
    if (typeof userId !== 'number' || typeof session !== 'string') {
      throw new SystemError('invalid', 'Tryton returned no session after the login');
    }
    const credentials = Buffer.from(`${user}:${userId}:${checkedToken(session)}`).toString('base64');
    for (const secret of [session, credentials]) this.#secretIssued(secret);
    const authorization = `Session ${credentials}`;
    const login = { address, userId, authorization, context: {} };
    const context = await this.#post(address, 'model.res.user.get_preferences', [true, {}], { login });
    if (!isWireObject(context)) throw new SystemError('invalid', 'Tryton returned no preferences of the user');
    return { ...login, context };
  }

  /**
   * The address of the calls: `/<database>/rpc/` in series that state their version at `/rpc/`, which needs no login, and
   * `/<database>/` in others. Asked at each login, because a server may have been updated.
   */
  async #findAddress(): Promise<string> {
    const { server, database } = this.#settings;
    const address = `${server}${encodeURIComponent(database)}/`;
    const version = await this.#post(`${server}rpc/`, 'common.server.version', []).catch((error: unknown) => {
      // Without calls at this address, the response depends on the series and on a proxy. A failing server could have them.
      if (error instanceof SystemError && error.kind !== 'throttled' && error.kind !== 'unavailable') return null;
      throw error;
    });
    return typeof version === 'string' ? `${address}rpc/` : address;
  }

  /** Posts one call; `unauthorized` when Tryton wants a (new) login. */
  async #post(
    address: string,
    method: string,
    params: readonly Wire[],
    { changes = false, signal, login }: CallOptions & { readonly login?: Login } = {},
  ): Promise<Wire | typeof unauthorized> {
    this.#calls += 1;
    const id = this.#calls;
    const request: HttpRequest = {
      method: 'POST',
      url: new URL(address),
      headers: { 'content-type': 'application/json', ...(login && { authorization: login.authorization }) },
      // Exactly these keys: with others, the response has a different form.
      body: JSON.stringify({ id, method, params }),
      ownSocket: changes,
      ...(signal && { signal }),
    };
    const response = await this.#send(request, changes);
    if (response.status === 401) return unauthorized;
    const date = Date.parse(response.headers.date ?? '');
    this.#clock = { time: Number.isNaN(date) ? Date.now() : date, receivedAt: performance.now() };
    const retryAfter = retryAfterSeconds(response.headers['retry-after']);
    return resultOf({ status: response.status, body: response.body, retryAfter }, { id, changes });
  }

  /** Tryton 8.2 marks long responses as compressed even if the request does not accept that, which confuses proxies. */
  async #send(request: HttpRequest, changes: boolean): Promise<HttpResponse> {
    try {
      const headers = { ...request.headers, 'accept-encoding': 'gzip' };
      const response = await this.#http.send({ ...request, headers });
      return await decompressed(response, request.maxBodyBytes ?? this.#maxBodyBytes);
    } catch (error) {
      throw systemErrorOf(error, { changes });
    }
  }
}

const unauthorized = Symbol('unauthorized');
