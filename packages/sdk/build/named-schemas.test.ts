import { expect, it } from 'vitest';
import { namedSchemas } from './named-schemas.ts';

it('declares the selected object types as interfaces', () => {
  const source = `export interface components {
    schemas: {
        /** A vendor. */
        VendorInput: {
            name: string;
            currency?: components["schemas"]["RelationInput"];
        };
        RelationInput: { id?: string } | null;
        Vendor: { name: string };
        KeyInput: string;
    };
}
`;
  expect(namedSchemas(source, (name) => name.endsWith('Input'))).toBe(`export interface components {
    schemas: {
        /** A vendor. */
        VendorInput: VendorInput;
        RelationInput: RelationInput | null;
        Vendor: { name: string };
        KeyInput: string;
    };
}
export interface VendorInput {
            name: string;
            currency?: components["schemas"]["RelationInput"];
        }
export interface RelationInput { id?: string }
`);
});
