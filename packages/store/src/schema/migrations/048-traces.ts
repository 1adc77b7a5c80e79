/** The trace of the request that queued a write, which the worker continues. */
export const traces = 'alter table unified.writes add column traceparent text;';
