import { clientDocument, type Operation, operations } from '@unified/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { DocumentOperation, ReferenceDocument } from '../src/reference/reference-document.ts';
import { addWriteExamples } from './write-examples.ts';

const document = structuredClone(clientDocument()) as unknown as ReferenceDocument;
addWriteExamples(document);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...clientDocument(), $id: 'document' });
const isWriteRecord = ajv.compile({ $ref: 'document#/components/schemas/WriteRecord' });

interface Example {
  readonly operation: string;
  readonly status: string;
}

function examplesOf({ path, method }: Operation): [string, Example][] {
  const { responses = {} }: DocumentOperation = document.paths[path]?.[method] ?? {};
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const example = content?.['application/json']?.example as Example | undefined;
    return example ? [[status, example]] : [];
  });
}

test('the example of a write record names the operation that it belongs to, and fits its status', () => {
  const shown = operations.flatMap((operation) => examplesOf(operation).map((each) => ({ operation, each })));
  expect(shown.length).toBeGreaterThan(200);
  for (const { operation, each } of shown) {
    const [status, example] = each;
    expect([operation.id, status, isWriteRecord.errors, isWriteRecord(example)]).toEqual([
      operation.id,
      status,
      null,
      true,
    ]);
    expect([example.operation, example.status]).toEqual([operation.id, status === '202' ? 'pending' : 'succeeded']);
  }
});
