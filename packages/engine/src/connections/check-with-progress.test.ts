import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { allSystems } from '../model/systems.ts';
import { checkWithProgress } from './check-with-progress.ts';

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
