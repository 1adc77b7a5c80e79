import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { addSandboxPlatform } from '@unified/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { allSystems } from '../model/systems.ts';
import { checkWithProgress } from './check-with-progress.ts';

addSandboxPlatform();

test('a check that is aborted refuses the system, without waiting for its response', async () => {
  const stopping = new AbortController();
  const server = createServer(() => stopping.abort());
  server.listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const settings = { url, database: 'erp', user: 'api', password: 'secret', allowPrivateHosts: true };
  const phases: string[] = [];
  const progress = await checkWithProgress(allSystems.platformOf('tryton'), settings, {
    systems: allSystems,
    signal: stopping.signal,
    onStep({ phase }) {
      phases.push(phase);
      server.closeAllConnections();
    },
  });
  expect(progress).toMatchObject({ phase: 'refused', failure: { words: 'The system took too long' } });
  expect(phases).toEqual(['refused']);
});

test('a check ends when the system responds with more than 4 MB', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(Buffer.alloc(5 * 1024 * 1024, ' '));
  });
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const progress = await check('tryton', {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    ...{ database: 'erp', user: 'api', password: 'secret' },
  });
  expect(progress).toMatchObject({ phase: 'refused', failure: { words: expect.stringContaining('4194304 bytes') } });
});

test('a check ends when a database has sent more than 16 MB', async () => {
  // A message that never ends, which the client would buffer until it is complete.
  const begin = Buffer.from([...Buffer.from('N'), 0x3f, 0xff, 0xff, 0xff]);
  const server = createTcpServer((socket) => {
    const offered = Readable.from([begin, ...Array.from({ length: 1024 }, () => Buffer.alloc(65_536))]);
    socket.on('error', () => offered.destroy());
    socket.once('data', () => void offered.pipe(socket));
  });
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const progress = await check('sandbox', { url: `postgres://u:p@localhost:${port}/erp?sslmode=disable` });
  expect(progress).toMatchObject({
    ...{
      phase: 'refused',
      failure: { cause: 'not-this-system', words: 'The database sends more than 16777216 bytes' },
    },
  });
});

function check(platform: string, settings: Readonly<Record<string, string>>) {
  return checkWithProgress(
    allSystems.platformOf(platform),
    { ...settings, allowPrivateHosts: true },
    {
      ...{ systems: allSystems, signal: new AbortController().signal },
      onStep: () => undefined,
    },
  );
}
