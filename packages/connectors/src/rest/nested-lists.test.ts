import { entities } from '@unified/contract';
import { describe, expect, test } from 'vitest';
import { asked, reply, restSystem } from '../../test/rest-system.ts';
import { compileMapping } from '../mapping/compile.ts';
import { DefinitionError } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import { restOptions, type StreamOptions } from './options.ts';

const catalog = [
  {
    codes: ['EUR'],
    products: [{ plans: [{ id: 'a', price: 1 }, { id: 'b' }] }, { plans: null }, { plans: [{ id: 'c' }] }],
  },
  { codes: ['EUR', 'USD'], products: { plans: [{ id: 'a', price: 2 }] } },
  {},
];

const streams: Readonly<Record<string, StreamOptions>> = {
  plans: { list: { address: '/catalog', elements: { path: 'products.plans' } } },
  codes: { list: { address: '/catalog', elements: { path: 'codes', as: 'code' } } },
};

describe('elements of lists within rows', () => {
  const system = (body: unknown) =>
    restSystem((_, response) => reply(response, body), { streams, key: { codes: ['code'] } });

  test('are the rows of a stream, each key once with its last content', async () => {
    const { pullAll } = await system(catalog);
    expect(await pullAll('plans')).toEqual([
      { key: 'a', row: { id: 'a', price: 2 } },
      { key: 'b', row: { id: 'b' } },
      { key: 'c', row: { id: 'c' } },
    ]);
  });

  test('can be texts, which become a property', async () => {
    const { pullAll } = await system(catalog);
    expect(await pullAll('codes')).toEqual([
      { key: 'EUR', row: { code: 'EUR' } },
      { key: 'USD', row: { code: 'USD' } },
    ]);
  });

  test('are refused if they are something else, and if there is no list at all', async () => {
    const numbers = await system([{ codes: [1] }]);
    await expect(numbers.pullAll('codes')).rejects.toMatchObject({ kind: 'invalid' });
    const nothing = await system({ codes: ['EUR'] });
    await expect(nothing.pullAll('codes')).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('are read for each parent, and one of them by an address that returns all', async () => {
    const bills = [
      { no: 1, items: [{ id: 'x', text: 'Bolt' }] },
      { no: 2, items: [{ id: 'y', text: 'Nut' }, { id: 'z' }] },
    ];
    const { pullAll, driver, stream } = await restSystem(
      (request, response) => {
        const { pathname } = asked(request);
        if (pathname === '/customers') return reply(response, [{ id: 7 }]);
        if (pathname === '/customers/7/bills') return reply(response, bills);
        return reply(
          response,
          bills.find(({ items }) => items.some(({ id }) => pathname === `/by-item/${id}`)) ?? bills[0],
        );
      },
      {
        streams: {
          customers: { list: { address: '/customers' } },
          items: {
            list: { address: '/customers/{customer}/bills', elements: { path: 'items' } },
            parents: { stream: 'customers', as: 'customer' },
            detail: { address: '/by-item/{id}', row: 'items' },
          },
        },
      },
    );
    const rows = await pullAll('items');
    expect(rows.map(({ key, row }) => [key, row.customer])).toEqual([
      ['x', '7'],
      ['y', '7'],
      ['z', '7'],
    ]);
    expect(await driver.read(stream('items'), 'y')).toEqual({ id: 'y', text: 'Nut' });
    expect(await driver.read(stream('items'), 'gone')).toBeNull();
  });

  test('can be in a list with pages, which are continued by what the elements get from their row', async () => {
    const bills = [1, 2, 3, 4, 5].map((id) => ({ id, items: [{ no: 1 }, { no: 2 }, { text: 'Total' }] }));
    const { pullAll } = await restSystem(
      (request, response) => {
        const { searchParams } = asked(request);
        const [start, size] = [Number(searchParams.get('start')) - 1, Number(searchParams.get('size'))];
        reply(response, bills.slice(start, start + size));
      },
      {
        streams: {
          items: {
            list: {
              address: '/bills',
              paging: { offset: { parameter: 'start', first: 1, size: { parameter: 'size' } } },
              elements: { path: 'items' },
            },
            lists: { items: { inherit: { bill: 'id' }, only: { no: [1, 2] } } },
          },
        },
        key: { items: ['bill', 'no'] },
      },
    );
    const keys = bills.flatMap(({ id }) => [`${id}/1`, `${id}/2`]);
    expect((await pullAll('items', { limit: 2 })).map(({ key }) => key)).toEqual(keys);
  });

  test('are not possible in a list with pages of rows that nothing identifies', () => {
    const paging = { pages: { parameter: 'page' } };
    const options = { list: { address: '/catalog', paging, elements: { path: 'plans' } } };
    const stream = { name: 'plans', key: ['id'], order: 0, deletes: 'diff', pageSize: 3, options } as unknown as Stream;
    const platform = { id: 'acme', options: { authentication: { bearer: true }, check: '/me' }, streams: [stream] };
    expect(() => restOptions.platform(platform)).toThrow(DefinitionError);
    expect(() => restOptions.platform(platform)).toThrow('streams.plans.options.list.elements');
  });
});

test('a currency that no list contains is a constant, and the key of a list that is read for it', async () => {
  const { pullAll, driver, stream } = await restSystem(
    (_, response) => reply(response, { items: [{ id: 7, name: 'Bolts & Co' }] }),
    {
      streams: {
        currencies: {
          list: { address: '/suppliers?limit=1', rows: 'items' },
          parents: { of: ['EUR'], as: 'code' },
        },
      },
      key: { currencies: ['code'] },
    },
  );
  const [row, ...others] = await pullAll('currencies');
  expect([row?.key, others]).toEqual(['EUR', []]);
  expect(await driver.read(stream('currencies'), 'EUR')).toMatchObject({ code: 'EUR' });
  const currency = { ref: { entity: 'Currency', by: 'code', value: { const: 'EUR' } } };
  const definition = {
    entity: 'Vendor',
    stream: 'suppliers',
    fields: { name: 'name', terms: { const: '' }, currency },
  };
  const mapping = compileMapping(definition, { file: 'vendor.yaml', entity: entities.Vendor });
  expect(mapping.read({ key: '7', row: { id: 7, name: 'Bolts & Co' } })?.references).toMatchObject({
    currency: { entity: 'Currency', by: 'code', value: 'EUR' },
  });
});
