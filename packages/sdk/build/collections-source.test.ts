import type { Operation } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { collectionsSource } from './collections-source.ts';

function operation(id: string, method: Operation['method'], path: string, more: Partial<Operation> = {}): Operation {
  const usual = {
    bases: ['/v4'],
    tag: 'T',
    shard: 't',
    surface: 'data',
    security: ['connectionToken'],
    deprecated: false,
    kind: 'other',
  } as const;
  return { id, method, path, ...usual, ...more };
}

const order = (kind: Operation['kind']) => ({ kind, entity: 'SalesOrder' });
const source = collectionsSource(
  [
    operation('listSalesOrders', 'get', '/sales-orders', order('list')),
    operation('createSalesOrder', 'post', '/sales-orders', order('create')),
    operation('createSalesOrders', 'post', '/sales-orders/batch', order('createMany')),
    operation('getSalesOrder', 'get', '/sales-orders/{id}', order('get')),
    operation('updateSalesOrder', 'patch', '/sales-orders/{id}', order('update')),
    operation('replaceSalesOrder', 'put', '/sales-orders/{id}', { ...order('replace'), deprecated: true }),
    operation('deleteSalesOrder', 'delete', '/sales-orders/{id}', order('delete')),
    operation('setSalesOrderStatus', 'post', '/sales-orders/{id}/actions/set-status', order('action')),
    operation('reopenSalesOrder', 'post', '/sales-orders/{id}/actions/reopen', order('action')),
    operation('putSalesOrderStatus', 'put', '/sales-orders/{id}/status'),
    operation('listWrites', 'get', '/writes'),
    operation('getWrite', 'get', '/writes/{writeId}'),
    operation('runQuery', 'post', '/query/{kind}'),
    operation('issueToken', 'post', '/oauth/token', { bases: [''] }),
    operation('createOddity', 'post', '/oddities', { bases: [''] }),
  ],
  ({ id }) => ({ summary: `About ${id}`, hasBody: id !== 'reopenSalesOrder', hasKey: !/Token|Oddity|Query/.test(id) }),
);

describe('the table of collections', () => {
  it('lists the calls that the operations allow, by the form of their addresses', () => {
    expect(source).toContain(
      `'sales-orders': 'list create createMany get update replace delete setStatus reopen()',\n  'writes': 'list get',\n};`,
    );
  });

  it('separates operations at the root of the server', () => {
    expect(source).toContain('rootPaths: readonly string[] = ["/oauth/token","/oddities"];');
  });

  it('lists the addresses that accept no idempotency key', () => {
    expect(source).toContain('unkeyed: readonly string[] = ["/v4/query/:","/oauth/token","/oddities"];');
  });

  it.each([
    `list: calls.List<'SalesOrder'>;`,
    `create: calls.Create<operations['createSalesOrder'], 'SalesOrder'>;`,
    `createMany: calls.CreateMany<operations['createSalesOrders'], 'SalesOrder'>;`,
    `get: calls.Get<'SalesOrder'>;`,
    `update: calls.Change<operations['updateSalesOrder'], 'SalesOrder'>;`,
    `replace: calls.Change<operations['replaceSalesOrder'], 'SalesOrder'>;`,
    'delete: calls.Delete;',
    `setStatus: calls.Act<operations['setSalesOrderStatus']>;`,
    `list: calls.ListOf<operations['listWrites']>;`,
    `get: calls.GetOf<operations['getWrite']>;`,
  ])('types %s', (member) => {
    expect(source).toContain(`    ${member}\n`);
  });

  it('describes each call, and which are deprecated', () => {
    expect(source).toMatch(/\* About replaceSalesOrder\n\s+\*\n\s+\* @deprecated/);
    expect(source.match(/@deprecated/g)).toHaveLength(1);
  });

  it('has no short form for an operation with another name or form', () => {
    expect(source).not.toMatch(/runQuery|oddities:|putSalesOrderStatus/);
  });
});
