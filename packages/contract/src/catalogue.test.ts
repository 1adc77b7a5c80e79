import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import { openApiDocument } from './index.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Operations as the list of the catalogue has them: name, method and path. */
function listed(): string[] {
  const [, ...rows] = readFileSync(new URL('../../../openapi/catalogue.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return rows.map((row) => row.split('\t').join(' ')).sort();
}

function described(): string[] {
  return Object.entries(openApiDocument().paths)
    .flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => {
        const { operationId } = item[method] as { operationId: string };
        return `${operationId} ${method.toUpperCase()} ${path}`;
      }),
    )
    .sort();
}

test('the document has every operation of the catalogue, under its name, method and path, and no other', () => {
  expect(described()).toEqual(listed());
  expect(described()).toHaveLength(567);
});
