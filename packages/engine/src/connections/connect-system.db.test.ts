import { expect, test } from 'vitest';
import { platform } from '../../test/faulty-platform.ts';
import { origin, startHarness } from '../../test/harness.ts';
import { connectSystem, refuseConnected } from '../index.ts';

const { store, engine, site } = await startHarness();
const { scope, system } = await site();
const { applicationId } = scope;

function connect(name: string, url: string, allowDuplicate = false) {
  const given = { applicationId, platform, name, settings: { url }, allowDuplicate, tokenName: 'Test' };
  return connectSystem({ store, engine, origin }, given);
}

test('of two commands at the same time, one connects the system', async () => {
  const url = 'http://other.example';
  const ended = await Promise.allSettled(['One', 'Two'].map((name) => connect(name, url)));
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(ended).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ name: 'SystemConnected' }) }),
  );
  await connect('Three', url, true);
});

test('a connection of an earlier release counts', async () => {
  const refused = refuseConnected(store, store.application(applicationId), platform, { url: system.url });
  await expect(refused).rejects.toMatchObject({ name: 'SystemConnected' });
  await expect(connect('Again', system.url)).rejects.toMatchObject({ name: 'SystemConnected' });
});
