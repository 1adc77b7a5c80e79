import { clientDocument } from '@unified/contract';
import { expect, test } from 'vitest';
import type { ReferenceDocument } from '../src/reference/reference-document.ts';
import { schemaExample } from './response-example.ts';

const document = clientDocument() as unknown as ReferenceDocument;

test.each(['Vendor', 'PurchaseOrder', 'Person'])('the example of a %s has no fields that must be requested', (name) => {
  const example = schemaExample(document, { $ref: `#/components/schemas/${name}` });
  expect(example).toMatchObject({ _displayValue: expect.any(String) });
  expect(example).not.toHaveProperty('externalValues');
});
