import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import { clientDocument } from './index.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Operations that the specification requires: name, method and path. */
function required(): string[] {
  const [, ...rows] = readFileSync(new URL('../../../openapi/required-operations.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return rows.map((row) => row.split('\t').join(' '));
}

function described(): string[] {
  return Object.entries(clientDocument().paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const { operationId } = item[method] as { operationId: string };
      return `${operationId} ${method.toUpperCase()} ${path}`;
    }),
  );
}

test('the document has every operation that the specification requires, under its name, method and path', () => {
  const present = new Set(described());
  expect(required().filter((operation) => !present.has(operation))).toEqual([]);
  expect(required()).toHaveLength(567);
});
