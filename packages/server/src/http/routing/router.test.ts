import { clientDocument, operations } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { createRouter } from './router.ts';

const router = createRouter(operations);
const ID = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';

const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, ID);
const found = (method: string, path: string) => router.match(method, path).operation?.id;

describe('the router', () => {
  it('finds every operation of the document at each of its addresses, and nothing else', () => {
    const inDocument = Object.entries(clientDocument().paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, node]) => {
        const { operationId } = node as { operationId?: string };
        return operationId === undefined ? [] : [{ method, path, operationId }];
      }),
    );
    expect(inDocument.map(({ operationId }) => operationId).sort()).toEqual(operations.map(({ id }) => id).sort());
    for (const { method, path, operationId } of inDocument) {
      const bases = operations.find(({ id }) => id === operationId)?.bases ?? [];
      expect(bases.length).toBeGreaterThan(0);
      for (const base of bases) expect(found(method.toUpperCase(), base + addressOf(path))).toBe(operationId);
    }
  });

  it('returns the decoded parameters of the path', () => {
    const match = router.match('GET', '/v4/vendors/a%20b');
    expect(match).toMatchObject({ operation: { id: 'getVendor' }, params: { id: 'a b' } });
  });

  it('serves addresses with the version segment twice', () => {
    expect(found('POST', `/v4/v4/work-orders/${ID}/actions/cancel`)).toBe('cancelWorkOrder');
  });

  it('serves HEAD where it serves GET', () => {
    expect(found('HEAD', '/v4/vendors')).toBe('listVendors');
  });

  it.each([
    '/v4/vendors/',
    '/v4/Vendors',
    '/V4/vendors',
    '/v4//vendors',
    '/v4/work-orders//status',
    '/vendors',
    '/v4/vendors/x/y',
    '/v4/vendors/%',
    '/v4/v4/v4/vendors',
  ])('finds nothing at %s', (path) => {
    expect(router.match('GET', path)).toEqual({ allowed: [] });
  });

  it('does not match the address of an operation as the id of a record', () => {
    expect(router.match('GET', '/v4/comments/batch')).toEqual({ allowed: ['POST'] });
    expect(found('POST', '/v4/comments/batch')).toBe('createComments');
  });

  it.each(['DELETE', 'OPTIONS', 'TRACE', 'NONSENSE', 'get'])(
    'returns the methods that an address allows for %s',
    (method) => {
      expect(router.match(method, '/v4/vendors')).toEqual({ allowed: ['GET', 'HEAD', 'POST'] });
    },
  );

  it.each(['GET', 'PUT', 'DELETE'])('does not match a word of an address as an id, for %s either', (method) => {
    expect(router.match(method, '/v4/comments/batch')).toEqual({ allowed: ['POST'] });
    expect(router.match(method, '/v4/v4/comments/batch')).toEqual({ allowed: ['POST'] });
  });
});
