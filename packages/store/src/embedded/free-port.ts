import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Where ports are looked for: below those that operating systems hand out by themselves, so that none takes it meanwhile. */
const PORTS = { from: 10_240, below: 32_768 };

/** The wanted port when it is free on this machine, else another one that is. */
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
