import { describe, expect, test } from 'vitest';
import {
  clientDocument,
  type Entity,
  entities,
  entityOf,
  errorTable,
  operations,
  ServiceError,
  servedDocument,
  validatorShards,
} from './index.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

describe('the generated code', () => {
  test('has every operation of the document, in one shard each', () => {
    const written = Object.entries(clientDocument().paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => `${method} ${path}`),
    );
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(written);
    for (const { shard, path, method } of operations)
      expect(validatorShards()[shard]?.paths[path]).toHaveProperty(method);
  });

  test('describes every operation', () => {
    const { paths } = clientDocument();
    const described = (path: string, method: string) =>
      (paths[path]?.[method] as { description?: string } | undefined)?.description;
    expect(operations.filter(({ path, method }) => !described(path, method)).map(({ id }) => id)).toEqual([]);
  });

  test('has custom fields in every entity, and in the bodies of each that can be created or changed', () => {
    const without = Object.values(entities).filter(({ field }) => field.customFields?.kind !== 'custom');
    expect(without.map(({ name }) => name)).toEqual([]);
    const isWritten = ({ name }: Entity) =>
      operations.some(({ entity, kind }) => entity === name && ['create', 'update', 'replace'].includes(kind));
    const written = Object.values(entities).filter(isWritten);
    expect(written.length).toBeGreaterThan(50);
    expect(written.filter(({ field }) => !field.customFields?.writable).map(({ name }) => name)).toEqual([]);
  });

  test('has custom fields in the lines of bodies', () => {
    const lists = Object.values(entities).flatMap(({ fields }) => fields.filter(({ holdsLines }) => holdsLines));
    const lines = [...new Set(lists.flatMap(({ targets = [] }) => targets))];
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((name) => !entityOf(name)?.field.customFields?.writable)).toEqual([]);
  });

  test('has references to known entities only', () => {
    const targets = Object.values(entities).flatMap(({ fields }) => fields.flatMap((field) => field.targets ?? []));
    expect(targets.filter((name) => !entityOf(name))).toEqual([]);
  });

  test('looks up fields and entities safely by names from requests', () => {
    expect(entityOf('Vendor')?.field.name?.kind).toBe('text');
    expect(entityOf('Vendor')?.field.constructor).toBeUndefined();
    expect(entityOf('toString')).toBeUndefined();
  });
});

test('the published document carries the public address, with its path', () => {
  const urls = servedDocument('https://api.example.com/unified/').servers.map(({ url }) => url);
  expect(urls).toEqual(['https://api.example.com/unified/v4', 'https://api.example.com/unified/v4/v4']);
  expect(Object.keys(servedDocument('https://api.example.com').paths)).toEqual(Object.keys(clientDocument().paths));
});

test('the published document names the public address in samples and examples', () => {
  const text = JSON.stringify(servedDocument('https://api.example.com/unified'));
  expect(text.match(/localhost:4000/g)).toBeNull();
  expect(text.split('https://api.example.com/unified/v4/').length).toBeGreaterThan(100);
});

test('the guide of the published document has a row for each error code', () => {
  const { description } = servedDocument('https://api.example.com').info;
  const rows = [...(description ?? '').matchAll(/^\| `(SERVICE_\w+)` \| (\d+) \|/gm)];
  expect(rows.map(([, code, status]) => [code, Number(status)])).toEqual(
    Object.entries(errorTable).map(([code, { status }]) => [code, status]),
  );
  expect(description).not.toContain('<!--');
});

test('an error has the status in the table', () => {
  const error = new ServiceError('SERVICE_RATE_LIMITED', 'Wait.', { retryAfter: 7 });
  expect([error.status, error.retryable, error.retryAfter]).toEqual([errorTable.SERVICE_RATE_LIMITED.status, true, 7]);
});
