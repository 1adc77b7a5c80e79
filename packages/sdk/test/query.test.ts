import { describe, expect, it } from 'vitest';
import { answering } from './answering-server.ts';
import { failure } from './records.ts';
import { testClient } from './test-client.ts';

const columns = [
  { name: 'vendor', type: 'text' },
  { name: 'orders', type: 'integer' },
];
const result = (rows: unknown[], nextCursor: string | null = null) => ({
  json: { data: { columns, rows, nextCursor } },
});
const STATEMENT = 'select vendor.name as vendor, count(*) as orders from purchase_orders group by 1';

describe('a query', () => {
  it('returns the rows of its first page by the names of their columns', async () => {
    const server = await answering(
      result([
        ['ACME', 3],
        [null, 1],
      ]),
    );
    const { data, meta } = await testClient(server.url).client.query(STATEMENT);
    expect(data).toEqual([
      { vendor: 'ACME', orders: 3 },
      { vendor: null, orders: 1 },
    ]);
    expect(meta).toEqual({ has_more: false, next_cursor: null, columns });
  });

  it('returns all rows when it is iterated over, with the same statement and parameters', async () => {
    const server = await answering(result([['ACME', 3]], 'c2'), result([['Bolts', 2]]));
    const { client } = testClient(server.url);
    const names: unknown[] = [];
    for await (const { vendor } of client.query(`${STATEMENT} having count(*) > $1`, { parameters: [1] }))
      names.push(vendor);
    expect(names).toEqual(['ACME', 'Bolts']);
    const sent = server.arrived.map(({ path, body }) => [path, body]);
    const statement = `${STATEMENT} having count(*) > $1`;
    expect(sent).toEqual([
      ['/v4/query', { statement, parameters: { 1: 1 } }],
      ['/v4/query', { statement, parameters: { 1: 1 }, cursor: 'c2' }],
    ]);
  });

  it('types its rows by the declared columns', async () => {
    const server = await answering(result([['ACME', 3]]));
    const declared = { orders: 'integer', vendor: 'text' } as const;
    const { data } = await testClient(server.url).client.query(STATEMENT, { columns: declared });
    const orders: number | null | undefined = data[0]?.orders;
    expect(orders?.toFixed(1)).toBe('3.0');
  });

  it.each([
    ['of another type', { vendor: 'text', orders: 'text' }],
    ['that the result lacks', { vendor: 'text', orders: 'integer', total: 'number' }],
    ['without one of the result', { vendor: 'text' }],
  ] as const)('rejects declared columns %s', async (_name, declared) => {
    const server = await answering(result([['ACME', 3]]));
    const list = testClient(server.url).client.query(STATEMENT, { columns: declared });
    await expect(list).rejects.toThrow('The result has the columns { orders: integer, vendor: text }');
  });

  it('rejects with the error of the service', async () => {
    const server = await answering(failure(400, 'SERVICE_INVALID_QUERY'));
    await expect(testClient(server.url).client.query('selec 1')).rejects.toMatchObject({
      code: 'SERVICE_INVALID_QUERY',
    });
  });
});
