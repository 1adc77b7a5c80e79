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
    };
    "/things": { get: operations["listThings"]; post?: never };
}
export interface operations {
    listOrders: { a: 1 };
    replaceOrders: { a: 2 };
    listThings: { a: 4 };
}
`;
const offered = offeredPaths(types, new Set(['replaceOrders', 'listThings']));
const [current = '', legacy = ''] = offered.split(/(?=export interface)/).filter((part) => part.trim());

describe('the paths that editors offer', () => {
  it('are those of current operations', () => {
    expect(current).toContain('get: operations["listOrders"];');
    expect(current).toMatch(/put\?: never;\s+}/);
    expect(current).not.toMatch(/things|deprecated/);
  });

  it('are separate from those of deprecated operations', () => {
    expect(legacy).toMatch(/^export interface legacyPaths/);
    expect(legacy).toMatch(/get\?: never;\s+\/\*\* @deprecated \*\/\s+put: operations\["replaceOrders"\];/);
    expect(legacy).toContain('"/things": { get: operations["listThings"]; post?: never };');
  });
});
