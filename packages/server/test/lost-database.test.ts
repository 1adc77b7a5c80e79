import { fastRetries } from '@unified/engine/testing/fast-retries';
import { startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { api as startApi } from '@unified/testing';
import pg from 'pg';
import { expect, test, vi } from 'vitest';

// A write waits up to 30 seconds for its outcome.
vi.setConfig({ testTimeout: 120_000 });

interface Body {
  readonly code: string;
  readonly details: readonly { readonly writeId?: string }[];
}

/** A service with a connection to a system. */
async function served() {
  const api = await startApi({ systems, policies: fastRetries });
  const system = await startFaultySystem();
  const { token } = await api.connect({ platform: 'faulty', settings: { url: system.url } });
  const create = (name: string) =>
    api.fetch<Body>('/v4/vendors', { method: 'POST', token, json: { name }, headers: { Prefer: 'wait=30' } });
  const stop = async () => {
    await api.stop();
    await system.close();
  };
  return { api, system, token, create, stop };
}

const inDoubt = (writeId: string) => ({ code: 'SERVICE_OUTCOME_UNKNOWN', details: [{ writeId }] });

test('a write names its record if the database is lost before the outcome is known', async () => {
  const { api, system, create, stop } = await served();
  system.admit(0);
  const before = system.calls();
  const sent = create('ACME');
  await expect.poll(() => system.calls(), { interval: 5 }).toBeGreaterThan(before);
  await api.breakDown();
  const { status, body, headers } = await sent;
  const writeId = headers.get('write-id') ?? '';
  expect([status, body, headers.get('location')]).toEqual([
    502,
    expect.objectContaining(inDoubt(writeId)),
    `/v4/writes/${writeId}`,
  ]);
  system.admit(Infinity);
  await stop();
});

test('a write names its record if the database is lost while it is queued; without a record, nothing was sent', async () => {
  const { api, system, token, create, stop } = await served();
  const database = new pg.Client({ connectionString: api.url });
  await database.connect();
  await database.query(`
    create function unified.fail_commit() returns trigger language plpgsql security definer as
      'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
    create constraint trigger fail_commit after insert on unified.writes deferrable initially deferred
      for each row execute function unified.fail_commit()`);
  const { status, body, headers } = await create('ACME');
  await database.query('drop trigger fail_commit on unified.writes');
  await database.end();
  const writeId = headers.get('write-id') ?? '';
  expect([status, body]).toEqual([502, expect.objectContaining(inDoubt(writeId))]);
  expect((await api.fetch(`/v4/writes/${writeId}`, { token })).status).toBe(404);
  expect(system.log).toEqual([]);
  expect((await create('Cog')).status).toBe(201);
  await stop();
});
