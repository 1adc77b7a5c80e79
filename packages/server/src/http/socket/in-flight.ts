import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** The requests that a server has begun to answer. */
interface InFlight {
  /** Settles once there are none, or after `longestMs` milliseconds. */
  none(longestMs: number): Promise<void>;
  /**
   * Closes the server: takes no more connections and lets requests under way end, for `longestMs` milliseconds at the most.
   * Then it breaks the connections that are left: Node itself waits for ever for those whose request comes only half.
   */
  drain(longestMs: number): Promise<void>;
}

export function createInFlight(server: Server): InFlight {
  // Counted with one listener for all: a set of them, with a listener each, took a tenth of the pages per second.
  let count = 0;
  const waiting: (() => void)[] = [];
  const end = () => {
    count -= 1;
    if (count === 0 && waiting.length > 0) for (const go of waiting.splice(0)) go();
  };
  server.on('request', (_request, response: ServerResponse) => {
    count += 1;
    response.on('close', end);
  });
  const none = async (longestMs: number) => {
    if (count === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await Promise.race([promise, pause(longestMs, undefined, { ref: false })]);
  };
  return {
    none,
    async drain(longestMs) {
      const closed = once(server, 'close');
      server.close();
      await none(longestMs);
      server.closeAllConnections();
      await closed;
    },
  };
}
