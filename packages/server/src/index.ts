export { type AppOptions, createApp } from './http/create-app.ts';
export { createServer, type Server, type ServerOptions } from './http/create-server.ts';
export { createLogger } from './http/logger.ts';
export type { RateLimiter, Usage } from './http/rate-limiter.ts';
