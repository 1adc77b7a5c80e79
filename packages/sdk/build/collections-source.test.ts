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
    readsReplica: false,
    deprecated: false,
    kind: 'other',
  } as const;
  return { id, method, path, ...usual, ...more };
}

const bodyName = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;

const order = (kind: Operation['kind']) => ({ kind, entity: 'SalesOrder' });
const source = collectionsSource(
  [
    operation('listSalesOrders', 'get', '/sales-orders', order('list')),
    operation('createSalesOrder', 'post', '/sales-orders', order('create')),
    operation('createSalesOrders', 'post', '/sales-orders/batch', order('createMany')),
    operation('getSalesOrder', 'get', '/sales-orders/{id}', order('get')),
    operation('updateSalesOrder', 'patch', '/sales-orders/{id}', order('update')),
    operation('replaceSalesOrder', 'put', '/sales-orders/{id}', {
      ...{ ...order('replace'), deprecated: true },
      deprecation: { since: '@0', successor: '/sales-orders/{id}' },
    }),
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
  ({ id, method }) => ({
    summary: `About ${id}`,
    ...(method !== 'get' && id !== 'reopenSalesOrder' && { body: { name: bodyName(id) } }),
    hasKey: !/Token|Oddity|Query/.test(id),
  }),
);

describe('the table of collections', () => {
  it('lists the collections with their actions', () => {
    expect(source).toContain(
      `collections: readonly string[] = [\n  'sales-orders setStatus reopen()',\n  'writes',\n];`,
    );
  });

  it('refuses an action with the name of a usual call', () => {
    const updating = operation('updateOrderNow', 'post', '/orders/{id}/actions/update');
    expect(() => collectionsSource([updating], () => ({ hasKey: true }))).toThrow('updateOrderNow has the name');
  });

  it('names types of the deprecated calls separately', () => {
    expect(source).toContain('export interface LegacyCollections {\n  salesOrders: LegacySalesOrders;\n}');
  });

  it('names a type for each collection', () => {
    expect(source).toContain('export interface Collections {\n  salesOrders: SalesOrders;\n  writes: Writes;\n}');
  });

  it('separates operations at the root of the server', () => {
    expect(source).toContain('rootPaths: readonly string[] = ["/oauth/token","/oddities"];');
  });

  it('lists the paths that accept no idempotency key', () => {
    expect(source).toContain('unkeyed: readonly string[] = ["/query/:","/oauth/token","/oddities"];');
  });

  it.each([
    `list: calls.List<'SalesOrder'>;`,
    `create: calls.Create<CreateSalesOrderBody, 'SalesOrder'>;`,
    `createMany: calls.CreateMany<CreateSalesOrdersBody, 'SalesOrder'>;`,
    `get: calls.Get<'SalesOrder'>;`,
    `update: calls.Change<UpdateSalesOrderBody, 'SalesOrder'>;`,
    `replace: calls.Change<ReplaceSalesOrderBody, 'SalesOrder'>;`,
    'delete: calls.Delete;',
    `setStatus: calls.Act<operations['setSalesOrderStatus'], SetSalesOrderStatusBody>;`,
    `reopen: calls.Act<operations['reopenSalesOrder']>;`,
    `list: calls.ListOf<operations['listWrites']>;`,
    `get: calls.GetOf<operations['getWrite']>;`,
  ])('types %s', (member) => {
    expect(source).toContain(`  ${member}\n`);
  });

  it('describes each call, and which are deprecated', () => {
    expect(source).toMatch(/About replaceSalesOrder\n[\s*]+@deprecated Use `salesOrders.update`\.\n/);
    expect(source.match(/@deprecated/g)).toHaveLength(1);
  });

  it('has no short form for an operation with another name or form', () => {
    expect(source).not.toMatch(/runQuery|oddities:|putSalesOrderStatus/);
  });
});
