import { openDriver } from '@unified/connectors';
import { createApplication, createConnection } from '@unified/store';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { tokenPlatform } from '../../../connectors/test/token-platform.ts';
import { startTokenServer, type TokenServer } from '../../../connectors/test/token-server.ts';
import { log, origin, startHarness } from '../../test/harness.ts';
import { syncEnd } from '../../test/sync-end.ts';
import { startTokenProcess, type TokenProcess } from '../../test/token-process.ts';
import { createEngine, type Systems } from '../index.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const harness = await startHarness();
const { store, databaseUrl } = harness;
const platform = tokenPlatform();
const systems: Systems = { platformOf: () => platform, openDriver };
let server: TokenServer;
let applications = 0;

beforeEach(async () => {
  server = await startTokenServer();
});
afterEach(() => server.stop());

async function freshApplication() {
  applications += 1;
  return (await createApplication(store, `Tokens ${applications}`)).id;
}

async function connection(): Promise<string> {
  const applicationId = await freshApplication();
  const given = { applicationId, platform: platform.id, name: 'Tokens', settings: server.settings };
  return (await createConnection(store, given)).id;
}

async function process(connectionId: string): Promise<TokenProcess> {
  const started = await startTokenProcess(harness, connectionId);
  onTestFinished(() => started.kill());
  return started;
}

test('of two processes that need a token at the same time, one requests it for both', async () => {
  const id = await connection();
  const [one, other] = [await process(id), await process(id)];
  expect(await Promise.all([one.call(), other.call()])).toEqual(['called', 'called']);
  expect(server.sent).toEqual(['refresh-0']);
});

test('tokens expire and are replaced again and again, in processes and after restarts, and none is sent twice', async () => {
  const id = await connection();
  server.behavior.seconds = 0;
  for (let round = 0; round < 2; round += 1) {
    const [one, other] = [await process(id), await process(id)];
    expect(await Promise.all([one.call(), other.call()])).toEqual(['called', 'called']);
    await Promise.all([one.kill(), other.kill()]);
  }
  expect(server.sent).toEqual(['refresh-0', 'refresh-1', 'refresh-2', 'refresh-3']);
});

test.each([
  ['is continued with the earlier token, if the server still accepts it', true, 'called'],
  ['ends the connection, if the server accepts each token once', false, { kind: 'unauthorized' }],
])('a process that is killed between the response and the store %s', async (_, isGraceful, expected) => {
  const id = await connection();
  const killed = await process(id);
  server.behavior.isGraceful = isGraceful;
  server.behavior.replaced = async () => {
    server.behavior.replaced = undefined;
    await killed.kill();
  };
  void killed.call();
  const next = await process(id);
  await expect.poll(() => server.sent, { timeout: 60_000 }).toEqual(['refresh-0']);
  const outcome = await next.call();
  if (typeof expected === 'string') expect(outcome).toBe(expected);
  else expect(outcome).toMatchObject(expected);
  expect(server.sent).toEqual(['refresh-0', 'refresh-0']);
});

/** Settings as an application enters them: only the operator can allow the addresses of this machine. */
function entered() {
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', '127.0.0.1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { allowPrivateHosts: _, ...settings } = server.settings;
  return settings;
}

/** The connections of an application that a worker of this process reads. */
async function managed() {
  await harness.worker({ systems, syncs: 1 });
  const engine = createEngine({ store, databaseUrl, log, systems });
  onTestFinished(() => engine.close());
  const connections = engine.connectionsOf(store.application(await freshApplication()), origin);
  return {
    connections,
    synced: (id: string) => syncEnd(databaseUrl, id, 120_000),
    async sync(id: string) {
      await engine.requestSync(id, 'full');
      await syncEnd(databaseUrl, id, 120_000);
    },
  };
}

test('a connection continues with the tokens that its check received', async () => {
  const { connections, synced } = await managed();
  const { id } = await connections.create({ platform: platform.id, settings: entered() });
  await synced(id);
  expect(await connections.get(id)).toMatchObject({ health: { status: 'ok', lastSyncAt: expect.any(String) } });
  expect(server.sent).toEqual(['refresh-0']);
});

test('a refused refresh token is why a connection must be renewed, until a new one is entered', async () => {
  const { connections, synced, sync } = await managed();
  server.behavior.seconds = 0;
  const { id } = await connections.create({ platform: platform.id, settings: entered() });
  await synced(id);
  server.revoke();
  await sync(id);
  expect(await connections.get(id)).toMatchObject({
    health: { status: 'needs_reauth', message: expect.stringContaining('Sign in to Token System again') },
  });
  server.grant('refresh-new');
  await connections.update(id, { settings: { refreshToken: 'refresh-new' } });
  await synced(id);
  expect(await connections.get(id)).toMatchObject({ health: { status: 'ok' } });
});
