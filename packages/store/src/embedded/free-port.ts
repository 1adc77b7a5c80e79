import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Range of ports: below those that operating systems assign automatically, so that no other process gets one in the
 * meantime.
 */
const PORTS = { from: 10_240, below: 32_768 };

/** The preferred port if it is free on this machine, otherwise another free one. */
export async function freePort(wanted = randomInt(PORTS.from, PORTS.below)): Promise<number> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return isFree ? wanted : freePort();
}
