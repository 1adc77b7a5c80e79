import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

interface Reference {
  readonly id: string;
}
interface Quoted {
  readonly id: string;
  readonly rfq: Reference;
  readonly quotes: readonly Reference[];
  readonly responses: readonly { readonly quote: Reference | null }[];
}

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company?.stop());

test('a quote of a vendor names its request, which lists it', async () => {
  const [quote] = (await company.send<{ data: Quoted[] }>('/quotes?filter[direction]=purchase&sort=-code&per_page=1'))
    .body.data;
  const { id, rfq } = quote ?? expect.fail('there is no quote of a vendor');
  const request = (await company.send<{ data: Quoted }>(`/rfqs/${rfq.id}`)).body.data;
  expect(request.quotes.map((each) => each.id)).toContain(id);
  expect(request.responses.map((each) => each.quote?.id)).toContain(id);
  const { data } = (await company.send<{ data: Quoted[] }>(`/quotes?filter[rfq]=${rfq.id}&expand=rfq`)).body;
  expect(data.map((each) => each.id).toSorted()).toEqual(request.quotes.map((each) => each.id).toSorted());
  expect(data[0]?.rfq).toMatchObject({ id: rfq.id, responses: expect.any(Array) });
});
