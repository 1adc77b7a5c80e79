import { describe, expect, it } from 'vitest';
import { answering } from './answering-server.ts';
import { failure, page, vendor } from './records.ts';
import { testClient } from './test-client.ts';

const at = (position: string) => ({ headers: { 'Data-Position': position } });
const OLDER = '00000016B374D848';
const NEWER = '00000016B374D900';

describe('the position of the data', () => {
  it('is sent with every later request of the client, and of no other client', async () => {
    const server = await answering({ json: { data: vendor('7') }, ...at(OLDER) }, page([]));
    const { client } = testClient(server.url);
    await client.vendors.create({ name: 'Written' });
    await client.vendors.list();
    await client.vendors.get('7').catch(() => {});
    await testClient(server.url).client.vendors.list();
    expect(server.arrived.map(({ headers }) => headers['data-position'])).toEqual([undefined, OLDER, OLDER, undefined]);
  });

  it('is the greatest that was received, whatever the order of the responses, including errors', async () => {
    const refused = { ...failure(412, 'SERVICE_PRECONDITION_FAILED'), ...at(NEWER) };
    const server = await answering(refused, { json: { data: vendor('7') }, ...at(OLDER) }, page([]));
    const { client } = testClient(server.url);
    await client.vendors.update('7', { terms: 'Net 30' }).catch(() => {});
    await client.vendors.update('7', { terms: 'Net 45' });
    await client.vendors.list();
    expect(server.arrived.at(-1)?.headers['data-position']).toBe(NEWER);
  });

  it('that the caller sends itself is kept', async () => {
    const server = await answering({ json: { data: vendor('7') }, ...at(NEWER) }, page([]));
    const { client } = testClient(server.url);
    await client.vendors.create({ name: 'Written' });
    await client.GET('/vendors', { headers: { 'Data-Position': OLDER } });
    expect(server.arrived.at(-1)?.headers['data-position']).toBe(OLDER);
  });
});
