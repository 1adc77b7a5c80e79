import { clientDocument, entities } from '@unified/contract';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const guide = clientDocument().info.description ?? '';

/** The text in the document about a parameter of lists. */
function textOf(parameter: string): string {
  const found = clientDocument().components.parameters?.[parameter] as { readonly description: string } | undefined;
  return found?.description ?? '';
}

const { fields } = entities.PurchaseOrder;
const sortable = fields.filter(({ kind }) => kind === 'text' || kind === 'date').map(({ name }) => name);
const relations = fields.filter(({ targets }) => targets).map(({ name }) => name);

/** For each limit: the texts that state it, and a request with that many values. */
const limits = [
  {
    what: 'values of `in`',
    limit: 200,
    texts: [textOf('filter'), guide],
    stated: /`in` has at most 200 values|up to 200 values/,
    request: (count: number) => `filter[code:in]=${Array(count).fill('x').join(',')}`,
  },
  {
    what: 'characters of a text in a filter',
    limit: 1000,
    texts: [textOf('filter'), guide],
    stated: /text (?:value )?has at most 1,000 characters/,
    request: (count: number) => `filter[code]=${'x'.repeat(count)}`,
  },
  {
    what: 'fields in `sort`',
    limit: 5,
    texts: [textOf('sort'), guide],
    stated: /(?:[Aa]t most|up to)\s+five/,
    request: (count: number) => `sort=${sortable.slice(0, count).join(',')}`,
  },
  {
    what: 'relations in `expand`',
    limit: 20,
    texts: [textOf('expand'), guide],
    stated: /Up to 20 relation fields|At most 20 fields/,
    request: (count: number) => `expand=${relations.slice(0, count).join(',')}`,
  },
];

describe.each(limits)('the limit of $what', ({ limit, texts, stated, request }) => {
  it('is stated by the parameter and in the guide', () => {
    for (const text of texts) expect(text).toMatch(stated);
  });

  it(`is ${limit}: one more is refused`, async () => {
    expect((await api.fetch(`/v4/purchase-orders?${request(limit)}`)).status).toBe(200);
    expect((await api.fetch(`/v4/purchase-orders?${request(limit + 1)}`)).status).toBe(400);
  });
});
