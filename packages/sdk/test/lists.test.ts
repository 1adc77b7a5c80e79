import { describe, expect, it } from 'vitest';
import { answering } from './answering-server.ts';
import { failure, page, vendor } from './records.ts';
import { testClient } from './test-client.ts';

const threePages = [page([vendor('1'), vendor('2')], 'c2'), page([vendor('3')], 'c3'), page([vendor('4')])];

describe('a list', () => {
  it('returns its first page when it is awaited', async () => {
    const server = await answering(...threePages);
    const { data, meta } = await testClient(server.url).client.vendors.list();
    expect(data.map(({ id }) => id)).toEqual(['1', '2']);
    expect(meta.next_cursor).toBe('c2');
    expect(server.arrived).toHaveLength(1);
  });

  it('returns all records when it is iterated over', async () => {
    const server = await answering(...threePages);
    const ids: string[] = [];
    for await (const { id } of testClient(server.url).client.vendors.list()) ids.push(id);
    expect(ids).toEqual(['1', '2', '3', '4']);
    expect(server.arrived.map(({ query }) => query.get('cursor'))).toEqual([null, 'c2', 'c3']);
  });

  it('returns all pages', async () => {
    const server = await answering(...threePages);
    const sizes: number[] = [];
    for await (const { data } of testClient(server.url).client.vendors.list().pages()) sizes.push(data.length);
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('requests no page twice', async () => {
    const server = await answering(...threePages);
    const list = testClient(server.url).client.vendors.list();
    await list;
    for await (const { id } of list) if (id === '3') break;
    expect(server.arrived).toHaveLength(2);
  });

  it('repeats its conditions, but neither page nor counting, on the pages that follow', async () => {
    const server = await answering(...threePages);
    const list = testClient(server.url).client.vendors.list({ filter: { isActive: true }, page: 2, with_total: true });
    for await (const { id } of list) expect(id).toBeDefined();
    expect(server.arrived.map(({ query }) => query.toString())).toEqual([
      'page=2&with_total=true&filter%5BisActive%5D=true',
      'filter%5BisActive%5D=true&cursor=c2',
      'filter%5BisActive%5D=true&cursor=c3',
    ]);
  });

  it('sends its options in the format of the API', async () => {
    const server = await answering(page([]));
    await testClient(server.url).client.workOrders.list({
      filter: {
        name: { contains: '50 % & more + #1?', neq: null },
        statusCategory: { in: ['open', 'in_progress'] },
        dueAt: { gte: new Date('2026-11-20T10:00:00Z'), lt: '2026-12-01' },
        priorityLevel: 1,
        description: null,
      },
      sort: ['-_updatedAt', 'code'],
      expand: ['site', 'site.organization'],
      extend: ['externalValues'],
      fields: ['name', 'description', 'site'],
      per_page: 500,
    });
    expect(Object.fromEntries(server.arrived[0]?.query ?? [])).toEqual({
      'filter[name:contains]': '50 % & more + #1?',
      'filter[name:neq]': 'null',
      'filter[statusCategory:in]': 'open,in_progress',
      'filter[dueAt:gte]': '2026-11-20T10:00:00.000Z',
      'filter[dueAt:lt]': '2026-12-01',
      'filter[priorityLevel]': '1',
      'filter[description]': 'null',
      sort: '-_updatedAt,code',
      extend: 'externalValues',
      expand: 'site,site.organization',
      fields: 'name,description,site',
      per_page: '500',
    });
  });

  it('requests only the id if no field is selected', async () => {
    const server = await answering(page([]));
    await testClient(server.url).client.workOrders.list({ fields: [] });
    expect(server.arrived[0]?.query.get('fields')).toBe('id');
  });

  it('fails midway with the error of the page that failed', async () => {
    const server = await answering(page([vendor('1')], 'c2'), failure(400, 'SERVICE_INVALID_CURSOR'));
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { id } of testClient(server.url).client.vendors.list()) ids.push(id);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_INVALID_CURSOR' });
    expect(ids).toEqual(['1']);
  });

  it('ends with the last page, although a log always has a cursor', async () => {
    const change = (seq: number) => ({ seq, entity: 'Vendor', id: String(seq) });
    const log = (seq: number, more: boolean) => ({
      json: { meta: { per_page: 1, has_more: more, next_cursor: String(seq) }, data: [change(seq)] },
    });
    const server = await answering(log(1, true), log(2, false));
    const seen: number[] = [];
    for await (const { seq } of testClient(server.url).client.changes.list()) seen.push(seq);
    expect(seen).toEqual([1, 2]);
    expect(server.arrived).toHaveLength(2);
  });

  it('of changes can be limited to several kinds of records', async () => {
    const server = await answering({ json: { meta: { has_more: false, next_cursor: '1' }, data: [] } });
    await testClient(server.url).client.changes.list({ entity: ['Vendor', 'PurchaseOrder'] });
    expect(server.arrived[0]?.query).toEqual(new URLSearchParams({ entity: 'Vendor,PurchaseOrder' }));
  });

  it('may be a single page without information about others', async () => {
    const server = await answering({ json: { meta: {}, data: [{ entity: 'Vendor' }] } });
    const list = testClient(server.url).client.capabilities.list();
    expect((await list).data[0]?.entity).toBe('Vendor');
    for await (const { entity } of list) expect(entity).toBe('Vendor');
    expect(server.arrived).toHaveLength(1);
  });

  it('throws its error in a loop that starts after the request has failed', async () => {
    const list = testClient('http://localhost').client.vendors.list({ filter: { id: { in: [] } } });
    await new Promise((resolve) => setImmediate(resolve));
    await expect(list.pages().next()).rejects.toThrow('id:in needs at least one value');
  });

  it('exists for every collection, such as writes', async () => {
    const server = await answering(page([{ writeId: 'w1' }]));
    const { data } = await testClient(server.url).client.writes.list({ status: 'failed' });
    expect(data[0]?.writeId).toBe('w1');
    expect(server.arrived[0]).toMatchObject({ path: '/v4/writes', query: new URLSearchParams({ status: 'failed' }) });
  });
});
