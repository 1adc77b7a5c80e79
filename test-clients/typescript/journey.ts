// The journey of ../README.md with the generated client. Reads BASE_URL (with the version segment) and TOKEN.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, createConfig } from './generated/client/index.ts';
import {
  cancelWorkOrder,
  createVendor,
  createWorkOrder,
  getVendor,
  getWorkOrder,
  getWrite,
  listVendors,
  updateVendor,
} from './generated/sdk.gen.ts';
import type { Error as ServiceError, VendorInput, WriteRecord } from './generated/types.gen.ts';

const { BASE_URL: baseUrl = '', TOKEN: auth = '' } = process.env;
const client = createClient(createConfig({ baseUrl, auth }));
const NEW = randomUUID();
const headers = { Prefer: 'wait=30' };

/** Reads a write until its outcome is known, for at most a minute. */
async function settled(writeId: string): Promise<WriteRecord> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(200)) {
    const { data: write } = await getWrite({ client, path: { writeId }, throwOnError: true });
    if (['succeeded', 'failed', 'cancelled'].includes(write.status)) return write;
  }
  throw new Error(`The write ${writeId} is not settled.`);
}

const namedNew = { query: { filter: { 'name:contains': NEW } } };
const { data: none } = await listVendors({ client, ...namedNew, throwOnError: true });
assert.deepEqual(none.data, [], 'the filter was ignored');
const filter = { isActive: 'true', 'name:contains': 'a' };
const { data: page } = await listVendors({ client, query: { filter, per_page: 5 }, throwOnError: true });
const [listed] = page.data;
assert(listed, 'no vendor is active');
// `name` is required, so records have it.
assert(page.data.every(({ isActive, name }) => isActive && name.toLowerCase().includes('a')));

const { data: first } = await getVendor({ client, path: { id: listed.id }, throwOnError: true });
assert.equal(first.data.name, listed.name);

// @ts-expect-error A vendor cannot be created without a name.
({ terms: 'Net 30' }) satisfies VendorInput;
const body: VendorInput = { name: `Hansa ${NEW}`, terms: 'Net 30', isActive: true };
const { data: created } = await createVendor({
  ...{ client, body, throwOnError: true },
  headers: { ...headers, 'Idempotency-Key': randomUUID() },
});
assert('data' in created, 'the vendor was not created in time');
assert.equal(created.data.name, body.name);

const { data: updated } = await updateVendor({
  ...{ client, headers, path: { id: created.data.id }, body: { terms: 'Net 45' }, throwOnError: true },
});
assert('data' in updated, 'the vendor was not updated in time');
assert.deepEqual([updated.data.name, updated.data.terms], [body.name, 'Net 45']);
const { data: found } = await listVendors({ client, ...namedNew, throwOnError: true });
assert.deepEqual(
  found.data.map(({ id }) => id),
  [created.data.id],
);

const { data: order } = await createWorkOrder({
  ...{ client, headers, body: { name: 'Replace bearing' }, throwOnError: true },
});
assert('data' in order, 'the work order was not created in time');
const path = { id: order.data.id };
const { data: queued } = await cancelWorkOrder({
  ...{ client, path, body: { reason: { _displayValue: 'Duplicate' }, note: 'Same as before' }, throwOnError: true },
});
const write = await settled(queued.writeId);
assert.equal(write.status, 'succeeded', write.error?.message);
assert.equal(write.targetId, path.id);
const { data: cancelled } = await getWorkOrder({ client, path, throwOnError: true });
assert.equal(cancelled.data.statusCategory, 'cancelled');

const missing = await getVendor({ client, path: { id: randomUUID() } });
assert.equal(missing.response?.status, 404);
const error: ServiceError | undefined = missing.error;
assert.equal(error?.code, 'SERVICE_NOT_FOUND');

console.log('typescript: the journey is complete');
