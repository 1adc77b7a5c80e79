import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { SharedRateLimiter } from './rate-limits.ts';
import { redisRateLimiter } from './redis-rate-limiter.ts';

let limiter: SharedRateLimiter | undefined;
let server: Server | undefined;
const sockets: Socket[] = [];
/** Messages of warnings. */
const warnings: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(JSON.parse(line).msg) });

afterEach(async () => {
  await limiter?.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
  server = undefined;
  warnings.length = 0;
});

/** The address of a server that handles connections with `treat`. */
async function listening(treat: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    treat(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The address of a port where nothing listens. */
async function closed(): Promise<string> {
  const url = await listening(() => {});
  server?.close();
  await once(server as Server, 'close');
  return url;
}

describe('without a Redis that responds, requests are counted in this process, and one warning is logged', () => {
  it.each<[string, () => Promise<string>]>([
    ['nothing listens', closed],
    ['it closes each connection', () => listening((socket) => socket.destroy())],
    ['it never responds', () => listening((socket) => socket.resume())],
    ['it speaks another protocol', () => listening((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['it refuses commands', () => listening((socket) => socket.on('data', () => socket.write('-NOAUTH required\r\n')))],
  ])('%s', async (_, address) => {
    limiter = await redisRateLimiter(await address(), log);
    const counted = [];
    for (let request = 0; request < 8; request += 1) counted.push((await limiter.count('data application a')).used);
    expect(counted).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(warnings).toEqual(['Redis cannot be reached: rate limits are counted per process']);
  });
});
