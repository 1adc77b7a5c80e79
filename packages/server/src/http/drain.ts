import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Counts the requests of a server; gives the way to close it. Closing takes no more connections and lets requests under way
 * end, for `longestMs` milliseconds at the most. Then it breaks the connections that are left: Node itself waits for ever
 * for those whose request comes only half.
 */
export function createDrain(server: Server): (longestMs: number) => Promise<void> {
  // Counted with one listener for all: a set of them, with a listener each, took a tenth of the pages per second.
  let underWay = 0;
  const ended = Promise.withResolvers<void>();
  const end = () => {
    underWay -= 1;
    if (!server.listening && underWay === 0) ended.resolve();
  };
  server.on('request', (_request, response: ServerResponse) => {
    underWay += 1;
    response.on('close', end);
  });
  return async (longestMs) => {
    const closed = once(server, 'close');
    server.close();
    if (underWay > 0) await Promise.race([ended.promise, pause(longestMs, undefined, { ref: false })]);
    server.closeAllConnections();
    await closed;
  };
}
