import { expect, expectTypeOf, it } from 'vitest';
import { type EntityRecord, etagOf, type Page } from '../src/index.ts';
import { answering } from './answering-server.ts';
import { page, vendor } from './records.ts';
import { testClient } from './test-client.ts';

const answer = (tag: string) => ({ json: { data: vendor('7') }, headers: { ETag: tag } });

it('a record that was read or written has the tag of its response', async () => {
  const server = await answering(answer('"1"'), answer('"2"'));
  const { client } = testClient(server.url);
  const read = await client.vendors.get('7');
  expectTypeOf(read).toEqualTypeOf<EntityRecord<'Vendor'>>();
  const written = await client.vendors.update('7', { terms: 'Net 30' }, { ifMatch: etagOf(read) });
  expect([etagOf(read), etagOf(written), etagOf({ ...written })]).toEqual(['"1"', '"2"', undefined]);
  expect(server.arrived[1]?.headers['if-match']).toBe('"1"');
});

it('a write is not sent if the record of its condition is a copy or from a list', async () => {
  const server = await answering(answer('"1"'), page([vendor('7')]));
  const { client } = testClient(server.url);
  const copy = { ...(await client.vendors.get('7')) };
  const { data } = await client.vendors.list();
  const fault = new TypeError('ifMatch is undefined: the record is a copy or from a list. Read it with get.');
  for (const record of [copy, ...data]) {
    const condition = { ifMatch: etagOf(record) };
    await expect(client.vendors.update('7', { terms: 'Net 30' }, condition)).rejects.toThrow(fault);
    await expect(client.workOrders.delete('7', condition)).rejects.toThrow(fault);
    await expect(client.workOrders.cancel('7', { reason: { _displayValue: 'Duplicate' } }, condition)).rejects.toThrow(
      fault,
    );
  }
  expect([data.length, server.arrived.length]).toEqual([1, 2]);
});

it('an unchanged record is returned as undefined', async () => {
  const server = await answering({ status: 304 }, answer('"2"'));
  const { client } = testClient(server.url);
  const unchanged = await client.vendors.get('7', { ifNoneMatch: '"1"' });
  expectTypeOf(unchanged).toEqualTypeOf<EntityRecord<'Vendor'> | undefined>();
  expect(unchanged).toBeUndefined();
  expect(await client.vendors.get('7', { ifNoneMatch: '"1"' })).toMatchObject({ id: '7' });
  expect(server.arrived.map(({ headers }) => headers['if-none-match'])).toEqual(['"1"', '"1"']);
});

it('a write of a record that has changed fails', async () => {
  const json = { code: 'SERVICE_PRECONDITION_FAILED', message: 'The vendor has changed since it was read.' };
  const server = await answering({ status: 412, json });
  const { client } = testClient(server.url);
  await expect(client.workOrders.delete('7', { ifMatch: '"1"' })).rejects.toMatchObject({
    code: json.code,
    status: 412,
  });
});

it('an unchanged list is returned as undefined, and is not taken for an empty one', async () => {
  const tagged = { ...page([vendor('7')]), headers: { ETag: 'W/"1"' } };
  const server = await answering(tagged, { status: 304 });
  const { client } = testClient(server.url);
  const first = await client.vendors.list();
  expectTypeOf(first).toEqualTypeOf<Page<EntityRecord<'Vendor'>>>();
  expect(etagOf(first)).toBe('W/"1"');
  const list = client.vendors.list({ ifNoneMatch: etagOf(first) });
  expect(await list).toBeUndefined();
  await expect(list.pages().next()).rejects.toThrow('The list is unchanged');
  expect(server.arrived.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, 'W/"1"']);
});

it('a list that has changed can be iterated over; only its first page has the condition', async () => {
  const server = await answering(page([vendor('1')], 'c2'), page([vendor('2')]));
  const list = testClient(server.url).client.vendors.list({ ifNoneMatch: 'W/"1"' });
  expectTypeOf(await list).toEqualTypeOf<Page<EntityRecord<'Vendor'>> | undefined>();
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  expect(ids).toEqual(['1', '2']);
  expect(server.arrived.map(({ headers }) => headers['if-none-match'])).toEqual(['W/"1"', undefined]);
});
