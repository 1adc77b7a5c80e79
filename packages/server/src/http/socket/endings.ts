import type { ServerResponse } from 'node:http';

/** Signals for requests that wait. Each one aborts when its client leaves, and all of them abort when `closing` does. */
export function createEndings(closing: AbortSignal): (response: ServerResponse) => AbortSignal {
  const open = new Set<AbortController>();
  // One listener for all requests: individual listeners would have to be removed from a signal that outlives every request.
  closing.addEventListener('abort', () => {
    for (const ending of open) ending.abort();
  });
  return (response) => {
    const ending = new AbortController();
    if (closing.aborted || response.destroyed) ending.abort();
    open.add(ending);
    response.once('close', () => {
      open.delete(ending);
      ending.abort();
    });
    return ending.signal;
  };
}
