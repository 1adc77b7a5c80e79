export { isIssuer, type OpenIdSettings, openIdProvider } from './console/openid-provider.ts';
export { signInAddress } from './console/sign-in-address.ts';
export { databaseRateLimiter } from './http/authorization/database-rate-limiter.ts';
export { KNOWN_TOKEN_MS } from './http/authorization/known-holders.ts';
export type { SharedRateLimiter } from './http/authorization/rate-limits.ts';
export { parseRateLimits, type RateLimiter, type RateLimits, type Usage } from './http/authorization/rate-limits.ts';
export { redisRateLimiter } from './http/authorization/redis-rate-limiter.ts';
export { type TokenCache, UNKNOWN_TOKEN_MS } from './http/authorization/token-cache.ts';
export { type AppOptions, createApp } from './http/create-app.ts';
export { createServer, type Server, type ServerOptions } from './http/create-server.ts';
export { createLogger } from './logger.ts';
export { issueManagementTokens, replaceSigningKey } from './oauth/operator-tokens.ts';
export {
  createMetrics,
  type EndedAttempt,
  type MeasuredCall,
  type Metrics,
  type ServedRequest,
} from './operator/metrics.ts';
export { createOperatorServer, type OperatorServer } from './operator/operator-server.ts';
export { type Readiness, readinessOf } from './operator/readiness.ts';
