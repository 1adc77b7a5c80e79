import type { RequestListener } from 'node:http';
import { addressOf, earlierOperations, type Surface } from '@unified/contract';
import { LogWriter, type WriterLimits } from '@unified/engine';
import {
  apiVersionOf,
  connectionByToken,
  connectionsByTokenHash,
  consoleSessionBySecret,
  consoleTokenHolder,
  insertRequestLogs,
  type LoggedRequest,
  mcpUserByToken,
} from '@unified/store';
import type { Logger } from 'pino';
import { createAgentClients } from '../authorize/agents/agent-clients.ts';
import { createAgentPages } from '../authorize/agents/agent-pages.ts';
import { createAuthorizationPages } from '../authorize/authorization-pages.ts';
import { createBrowsers } from '../authorize/browser.ts';
import { createEmbeddedPages } from '../authorize/embedded-pages.ts';
import { cachedLogos } from '../authorize/logo-cache.ts';
import { createRunningChecks } from '../authorize/running-checks.ts';
import { createSetupPages } from '../authorize/setup-pages.ts';
import { createSessionCookie } from '../console/session-cookie.ts';
import { EMBED_PATH } from '../embedding.ts';
import {
  type AccessTokens,
  type AdminHolder,
  createAccessTokens,
  isSigned,
  mcpResource,
} from '../oauth/access-tokens.ts';
import { createAgentGrants } from '../oauth/agent-grants.ts';
import { createTokenGrants } from '../oauth/token-grants.ts';
import { createHandlers, type Services } from '../operations/handlers.ts';
import type { ServedRequest } from '../operator/metrics.ts';
import { createAuthenticate } from './authorization/authenticate.ts';
import { type Authorizer, clientAddress, createAuthorizer, senderAddress } from './authorization/authorize.ts';
import { memoryRateLimiter, type RateLimiter, type RateLimits } from './authorization/rate-limits.ts';
import { consoleSessionAuthenticator } from './authorization/session-authenticator.ts';
import {
  adminTokenAuthenticator,
  connectionTokenAuthenticator,
  personalAccessTokenAuthenticator,
} from './authorization/token-authenticator.ts';
import { memoryTokenCache, type TokenCache } from './authorization/token-cache.ts';
import { createVersionCheck } from './authorization/version-check.ts';
import { AUTHORIZATION_PATH, createAuthorizationRoutes } from './authorization-routes.ts';
import { createDispatch } from './dispatch.ts';
import { publicPath } from './pages.ts';
import { createPagesApp } from './pages-app.ts';
import { createCheckParts, createReadRequest } from './request/read-request.ts';
import { type ServedContract, wholeContract } from './request/served-contract.ts';
import { createValidator } from './request/validator.ts';
import { isNewOutage } from './request-log.ts';
import { lastResort } from './response/last-resort.ts';
import { Outbox, type ResponseLimits } from './response/outbox.ts';
import { responseSizes } from './response/response-memory.ts';
import { createRouter } from './routing/router.ts';
import { createEndings } from './socket/endings.ts';

export interface AppOptions extends Omit<Services, 'oauth' | 'cookie'> {
  readonly logger: Logger;
  /** Address under which clients reach the server, for example `https://api.example.com`. */
  readonly publicUrl: string;
  /**
   * Requests per minute of an application on a surface; by default, and where it returns undefined, the budget of the surface.
   */
  readonly requestsPerMinute?: (applicationId: string, surface: Surface) => number | undefined;
  /** Requests per minute of each surface, where they differ from the defaults. */
  readonly rateLimits?: RateLimits | undefined;
  /** Whether a reverse proxy in front sets `X-Forwarded-For`. */
  readonly trustProxy?: boolean;
  /** What is served; by default the whole document. */
  readonly contract?: ServedContract;
  /** Limits on the memory of responses and on slow readers, if they differ from the defaults. */
  readonly responses?: Partial<ResponseLimits>;
  /** Counts requests; by default in the memory of this process. */
  readonly limiter?: RateLimiter;
  /** Caches the holders of tokens; by default in the memory of this process. */
  readonly tokenCache?: TokenCache;
  /** Milliseconds since 1970; by default the clock of this machine. */
  readonly now?: () => number;
  /** Called with each request to the API after its response, for metrics. */
  readonly onServed?: ((request: ServedRequest) => void) | undefined;
  /** When requests are stored in the request log, if that differs from the defaults; `false`: never. */
  readonly requestLog?: Partial<WriterLimits> | false;
}

export interface App {
  /** Handles a request and responds. */
  readonly handle: RequestListener;
  readonly outbox: Outbox;
  /** Stores the requests that wait for the request log. */
  readonly storeRequests: () => Promise<void>;
}

/** The parts that decide whether a request is allowed. */
interface Deciding {
  readonly accessTokens: AccessTokens;
  readonly limiter: RateLimiter;
  readonly authorizer: Authorizer;
}

/** The whole HTTP surface. `closing` aborts when the server closes. */
export function createApp(options: AppOptions, closing: AbortSignal): App {
  const { limiter = memoryRateLimiter() } = options;
  const accessTokens = createAccessTokens(options.store, options.publicUrl);
  const authorizer = authorizeByCredentials(options, { accessTokens, limiter });
  return assembleApp(options, { accessTokens, limiter, authorizer }, closing);
}

/** Authorizes requests by their tokens, and counts them. */
function authorizeByCredentials(
  options: AppOptions,
  { accessTokens, limiter }: Pick<Deciding, 'accessTokens' | 'limiter'>,
): Authorizer {
  const { store, logger, trustProxy = false } = options;
  const { tokenCache = memoryTokenCache((digests) => connectionsByTokenHash(store, digests)) } = options;
  const holderOf = (token: string) =>
    isSigned(token) ? accessTokens.connectionHolder(token) : connectionByToken(store, token);
  const userOf = (token: string) => (isSigned(token) ? accessTokens.agentHolder(token) : mcpUserByToken(store, token));
  const adminOf = (token: string) => (isSigned(token) ? accessTokens.adminHolder(token) : operatorBy(store, token));
  const onCacheError = (error: unknown) => warnOfCache(logger, error);
  return createAuthorizer({
    authenticate: createAuthenticate({
      connectionToken: connectionTokenAuthenticator(holderOf, onCacheError, tokenCache),
      adminToken: adminTokenAuthenticator(adminOf, onCacheError),
      personalAccessToken: personalAccessTokenAuthenticator(userOf, onCacheError),
      consoleSession: consoleSessionAuthenticator(createSessionCookie(options.publicUrl), (secret) =>
        consoleSessionBySecret(store, secret),
      ),
    }),
    limiter,
    limitOf: (application, surface) => options.requestsPerMinute?.(application, surface),
    rateLimits: options.rateLimits,
    clientOf: (request) => clientAddress(request, trustProxy),
  });
}

/** The operator of a token of the console, which belongs to the first client of the application in place of a client's own. */
async function operatorBy(store: AppOptions['store'], token: string): Promise<AdminHolder | null> {
  const holder = await consoleTokenHolder(store, token);
  return holder && { ...holder, clientId: holder.applicationId };
}

/**
 * The same with another way to decide about requests, such as one without credentials, which a benchmark uses as a baseline.
 */
export function assembleApp(
  options: AppOptions,
  { accessTokens, limiter, authorizer }: Deciding,
  closing: AbortSignal,
): App {
  const { store, logger, publicUrl, trustProxy = false } = options;
  const contract = options.contract ?? wholeContract();
  const { operations, shards } = contract;
  const validator = createValidator(shards);
  const checkCall = createCheckParts(validator, contract);
  const oauth = {
    publicUrl,
    accessTokens,
    grants: createTokenGrants({ store, engine: options.engine, accessTokens }),
    agentGrants: createAgentGrants({ store, accessTokens, resource: mcpResource(publicUrl) }),
  };
  const cookie = createSessionCookie(publicUrl);
  const outbox = new Outbox(logger, options.responses);
  const requestLog =
    options.requestLog === false
      ? UNLOGGED
      : new LogWriter(
          'request log',
          (rows: readonly LoggedRequest[]) => insertRequestLogs(store, rows),
          logger,
          options.requestLog,
        );
  const authorization = createPagesForEndUsers(options, { outbox, limiter });
  const router = createRouter([...operations, ...earlierOperations(operations)]);
  const dispatch = createDispatch({
    router,
    authorizer,
    handlerOf: createHandlers({ ...options, oauth, cookie, checkCall }, operations),
    checkVersion: createVersionCheck((applicationId) => apiVersionOf(store, applicationId)),
    readRequest: createReadRequest(validator, contract),
    beginAuthorization: authorization.begin,
    sizes: responseSizes(),
    outbox,
    senderOf: (request) => senderAddress(request, trustProxy),
    clientOf: (request) => clientAddress(request, trustProxy),
    cookie,
    logger,
    onServed: options.onServed,
    requestLog,
    root: publicPath(publicUrl),
    mcpMetadata: publicUrl + addressOf('getProtectedResourceMetadata'),
    now: options.now ?? Date.now,
    closing,
    endingOf: createEndings(closing),
  });
  const respondToFailure = lastResort(logger, outbox);
  const pages = createPagesApp({ publicUrl, outbox, router, authorization: authorization.router, respondToFailure });
  return {
    // Express comes second: it would take a twentieth of the time of a list, and replace the prototypes of request and response.
    handle(request, response) {
      try {
        dispatch(request, response, (error) => {
          if (error === undefined) pages(request, response);
          else respondToFailure(error, response);
        });
      } catch (error) {
        respondToFailure(error, response);
      }
    },
    outbox,
    storeRequests: () => requestLog.close(),
  };
}

/** The pages on which end users authorize applications, standalone and in frames. */
function createPagesForEndUsers(
  { store, engine, publicUrl, logger, trustProxy = false }: AppOptions,
  { outbox, limiter }: { readonly outbox: Outbox; readonly limiter: RateLimiter },
) {
  const path = publicPath(publicUrl);
  const parts = {
    ...{ store, engine, publicUrl, logger },
    browsers: createBrowsers(publicUrl),
    checks: createRunningChecks(store, logger),
    root: path + AUTHORIZATION_PATH,
  };
  return createAuthorizationRoutes({
    pages: createAuthorizationPages(parts),
    embedded: createEmbeddedPages({ ...parts, embedRoot: path + EMBED_PATH }),
    setup: createSetupPages(parts),
    agents: createAgentPages({
      ...{ ...parts, path, resource: mcpResource(publicUrl) },
      findClient: createAgentClients(store, (url) => engine.documentAt(url)),
    }),
    ...{ outbox, limiter, logger },
    clientOf: (request) => clientAddress(request, trustProxy),
    senderOf: (request) => senderAddress(request, trustProxy),
    imageAt: cachedLogos((url) => engine.imageAt(url)),
  });
}

/** For a server that logs no requests. */
const UNLOGGED = { add: () => {}, close: async () => {} };

function warnOfCache(logger: Logger, err: unknown): void {
  const message = 'token cache failed, tokens are looked up in the database';
  if (isNewOutage(message, err)) logger.warn({ err }, message);
}
