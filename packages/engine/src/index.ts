export { createEngine, type Engine } from './create-engine.ts';
export type { EngineOptions } from './engine-options.ts';
export type { RetryPolicy } from './retry/retry-policy.ts';
export type { SyncMode } from './sync/sync-mode.ts';
export type { StreamStatus } from './sync/sync-status.ts';
export type { Capability } from './systems/capabilities.ts';
export type { Systems } from './systems/systems.ts';
export { startWorker, type Worker, type WorkerOptions } from './worker/start-worker.ts';
export type { WriteRequest } from './writes/write-request.ts';
