import { randomUUID } from 'node:crypto';
import { fastRetries } from '@unified/engine/testing/fast-retries';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { connectionPlace, moveConnection, nodeUses } from '@unified/store';
import { api as startApi, type TestApi, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const VENDORS = 8;
const WRITERS = 3;

let api: TestApi;
let system: FaultySystem;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi({ systems, policies: fastRetries });
  system = await startFaultySystem();
  connection = await api.connect({ platform: 'faulty', settings: { url: system.url } });
});
afterAll(async () => {
  await api?.stop();
  await system?.close();
});

interface Vendor {
  readonly id: string;
  readonly name: string;
}

const headers = (key: string = randomUUID()) => ({ Prefer: 'wait=30', 'Idempotency-Key': key });
const send = <Body>(method: string, path: string, json?: unknown, key?: string) =>
  api.fetch<Body>(`/v4${path}`, {
    ...{ method, token: connection.token, headers: headers(key) },
    ...(json !== undefined && { json }),
  });
const numberOf = ({ name }: Vendor) => Number(name.split(' ').at(-1));

/** What the clients have seen. */
interface Seen {
  reads: number;
  writes: number;
  repeated: number;
  slowestWrite: number;
  slowestRead: number;
}

/** Renames a vendor again and again, until `isEnded`. A write that was refused is sent again with its key. */
async function keepRenaming(id: string, confirmed: Map<string, number>, isEnded: () => boolean, seen: Seen) {
  for (let next = 1; !isEnded(); next += 1) {
    const began = performance.now();
    const key = randomUUID();
    let status = 0;
    while (status !== 200) {
      ({ status } = await send('PATCH', `/vendors/${id}`, { name: `Vendor ${id} ${next}` }, key));
      expect([200, 202, 503]).toContain(status);
      if (status !== 200) seen.repeated += 1;
    }
    confirmed.set(id, next);
    seen.writes += 1;
    seen.slowestWrite = Math.max(seen.slowestWrite, performance.now() - began);
  }
}

/** Lists the vendors again and again: each is there, with the last name that was confirmed before, or a later one. */
async function keepListing(confirmed: Map<string, number>, isEnded: () => boolean, seen: Seen) {
  while (!isEnded()) {
    const [before, began] = [new Map(confirmed), performance.now()];
    const { status, body } = await send<{ data: Vendor[] }>('GET', '/vendors?per_page=100');
    expect(status).toBe(200);
    const listed = new Map(body.data.map((vendor) => [vendor.id, numberOf(vendor)]));
    expect(listed.size).toBe(VENDORS);
    for (const [id, number] of before) expect(listed.get(id)).toBeGreaterThanOrEqual(number);
    seen.reads += 1;
    seen.slowestRead = Math.max(seen.slowestRead, performance.now() - began);
  }
}

test('clients list and change records while their connection moves to another worker and back', {
  timeout: 1_800_000,
}, async () => {
  const created = await Promise.all(
    Array.from({ length: VENDORS }, () => send<{ data: Vendor }>('POST', '/vendors', { name: 'Vendor 0' })),
  );
  const confirmed = new Map(created.map(({ body }) => [body.data.id, 0]));
  const seen: Seen = { reads: 0, writes: 0, repeated: 0, slowestWrite: 0, slowestRead: 0 };
  let isEnded = false;
  const clients = [
    ...[...confirmed.keys()].slice(0, WRITERS).map((id) => keepRenaming(id, confirmed, () => isEnded, seen)),
    ...[1, 2].map(() => keepListing(confirmed, () => isEnded, seen)),
  ];
  const { node } = await connectionPlace(api.store, connection.connectionId);
  const there = (await nodeUses(api.store)).find(({ name }) => name !== node.name)?.name ?? '';
  try {
    for (const to of [there, node.name]) {
      const moved = await moveConnection(api.store, {
        ...{ connectionId: connection.connectionId, to, blockWrites: false },
        ...{ onStep: () => {}, onCopied: () => {} },
      });
      expect(moved).toMatchObject({ isMoved: true, to, leftovers: [] });
      process.stdout.write(
        `moved to ${to} in ${moved.seconds.toFixed(1)} s: a statement waited for ${moved.pause?.longest} ms at most\n`,
      );
    }
  } finally {
    isEnded = true;
    await Promise.all(clients);
  }
  process.stdout.write(`clients: ${JSON.stringify(seen)}\n`);
  const updates = system.log.filter((line) => line.startsWith('update'));
  expect(updates).toHaveLength(seen.writes);
  expect(new Set(updates).size).toBe(updates.length);
  const { body } = await send<{ data: Vendor[] }>('GET', '/vendors?per_page=100');
  expect(new Map(body.data.map((vendor) => [vendor.id, numberOf(vendor)]))).toEqual(confirmed);
});
