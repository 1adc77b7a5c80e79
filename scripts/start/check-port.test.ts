import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkPort } from './check-port.ts';

async function usedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('a port that another program uses is refused with what to do', async () => {
  const port = await usedPort();
  await expect(checkPort({ setting: 'PORT', host: '127.0.0.1', port })).rejects.toMatchObject({
    message: `Another program already uses port ${port} of 127.0.0.1.`,
    remedy: `Stop that program, or choose another port with PORT, for example PORT=${port + 1} npm start`,
  });
});

test('an address that this machine does not have is refused with the settings to change', async () => {
  await expect(checkPort({ setting: 'OPERATOR_PORT', host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
    message: expect.stringContaining('EADDRNOTAVAIL'),
    remedy: 'Choose another port with OPERATOR_PORT, or another address with OPERATOR_HOST.',
  });
});

test('a free port stays free', async () => {
  const wanted = { setting: 'PORT', host: '127.0.0.1', port: 0 } as const;
  await checkPort(wanted);
  await checkPort(wanted);
});
