import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let system: FaultySystem;
let api: TestApi;

beforeAll(async () => {
  system = await startFaultySystem();
  api = await startApi({ systems, publicUrl: 'https://gate.example/erp/' });
});
afterAll(async () => {
  await api.stop();
  await system.close();
});

it('behind a path of a proxy, responses contain addresses below that path', async () => {
  const { token } = await api.connect({ platform: 'faulty', settings: { url: system.url } });
  const create = (headers: Record<string, string>) =>
    api.fetch<{ writeId: string }>('/v4/vendors', { method: 'POST', token, headers, json: { name: 'ACME' } });
  system.faults.write.push('no');
  expect((await create({})).headers.get('location')).toMatch(/^\/erp\/v4\/writes\//);
  const { headers, body } = await create({ Prefer: 'respond-async' });
  expect(headers.get('location')).toBe(`/erp/v4/writes/${body.writeId}`);
  const items = await api.fetch('/v4/items', { token });
  expect(items.headers.get('link')).toBe('</erp/v4/inventory-items>; rel="successor-version"');
  const home = await fetch(api.baseUrl, { redirect: 'manual' });
  expect(home.headers.get('location')).toBe('/erp/console');
});
