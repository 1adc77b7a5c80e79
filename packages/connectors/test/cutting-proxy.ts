import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to PostgreSQL that breaks when `word` passes. `deliver` is whether the server still receives it. */
export async function cuttingProxy(to: string, word: string, deliver: boolean): Promise<{ url: string; stop(): void }> {
  const target = new URL(to);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) open.add(socket.on('error', () => socket.destroy()));
    near.on('data', (data) => {
      if (!data.includes(word)) return far.write(data);
      near.destroy();
      return deliver ? far.end(data) : far.destroy();
    });
    far.on('data', (data) => near.destroyed || near.write(data));
    near.on('close', () => deliver || far.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = Object.assign(new URL(to), { port: String((server.address() as AddressInfo).port) }).href;
  return {
    url,
    stop() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
