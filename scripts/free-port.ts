import { createServer } from 'node:net';

/** A free port of this machine. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const number = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(number));
    });
  });
}
