import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Call {
  readonly id: string;
  readonly connectionId: string;
  readonly writeId: string | null;
}

let system: FaultySystem;
let api: TestApi;
let app: TestApplication;
let connectionId: string;
let token: string;

beforeAll(async () => {
  system = await startFaultySystem();
  api = await startApi({ systems, policies: fastRetries });
  app = await api.signIn(api.connection.applicationId);
  const { applicationId } = api.connection;
  ({ connectionId, token } = await api.connect({ applicationId, platform: 'faulty', settings: { url: system.url } }));
});
afterAll(async () => {
  await api.stop();
  await system.close();
});

const calls = async (query: string, caller = app.token) =>
  (await api.fetch<{ data: Call[] }>(`/v4/system-calls?${query}`, { token: caller })).body.data;

it('shows why a write failed, with the message of the system', async () => {
  system.faults.write.push('no');
  const { headers, body } = await api.fetch<{ message: string }>('/v4/vendors', {
    ...{ method: 'POST', token, json: { name: 'Refused' }, headers: { Prefer: 'wait=30' } },
  });
  const writeId = headers.get('Write-Id');
  await expect.poll(async () => (await calls(`writeId=${writeId}`)).length, { timeout: 60_000 }).toBe(1);
  expect(await calls(`connectionId=${connectionId}&failed=true`)).toEqual([
    {
      ...{ id: expect.any(String), at: expect.any(String), connectionId, purpose: 'write', stream: 'rows', writeId },
      ...{ syncStartedAt: null, milliseconds: expect.any(Number), outcome: 'rejected', message: body.message },
    },
  ]);
  expect(await calls('purpose=sync')).toEqual([]);
  expect(await calls('failed=false')).toEqual([]);
});

it('shows an application only its own calls', async () => {
  const stranger = await api.signIn();
  expect(await calls('', stranger.token)).toEqual([]);
});
