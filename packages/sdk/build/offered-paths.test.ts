import { describe, expect, it } from 'vitest';
import { offeredPaths } from './offered-paths.ts';

const types = `
export interface paths {
    "/orders": {
        parameters: { query?: never };
        /** List orders */
        get: operations["listOrders"];
        /** @deprecated */
        put: operations["replaceOrders"];
        /** Not available yet */
        post: operations["createOrder"];
    };
    "/things": { get: operations["listThings"]; post?: never };
    /** About plans */
    "/plans": { get: operations["listPlans"] };
}
export interface operations {
    listOrders: { a: 1 };
    replaceOrders: { a: 2 };
    createOrder: { a: 3 };
    listThings: { a: 4 };
    /** About plans */
    listPlans: { a: 5 };
}
`;
const offered = offeredPaths(types, {
  planned: new Set(['createOrder', 'listPlans']),
  deprecated: new Set(['replaceOrders', 'listThings']),
});
const [current = '', legacy = '', rest = ''] = offered.split(/(?=export interface)/).filter((part) => part.trim());

describe('the paths that editors offer', () => {
  it('are those of current operations', () => {
    expect(current).toContain('get: operations["listOrders"];');
    expect(current).toMatch(/put\?: never;\s+post\?: never;\s+}/);
    expect(current).not.toMatch(/things|plans|deprecated|available/);
  });

  it('are separate from those of deprecated operations', () => {
    expect(legacy).toMatch(/^export interface legacyPaths/);
    expect(legacy).toMatch(
      /get\?: never;\s+\/\*\* @deprecated \*\/\s+put: operations\["replaceOrders"\];\s+post\?: never;/,
    );
    expect(legacy).toContain('"/things": { get: operations["listThings"]; post?: never };');
    expect(legacy).not.toContain('plans');
  });

  it('and the operations do not include planned ones', () => {
    expect(rest.match(/\w+: {/g)).toEqual(['listOrders: {', 'replaceOrders: {', 'listThings: {']);
    expect(rest).not.toContain('plans');
  });
});
