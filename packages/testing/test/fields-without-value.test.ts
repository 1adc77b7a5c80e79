import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

type Values = Readonly<Record<string, unknown>> & { readonly id: string };
interface Body<Data> {
  readonly data: Data;
  readonly code: string;
  readonly details: readonly { readonly path: string }[];
}

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company?.stop());

async function idsAt(path: string): Promise<readonly string[]> {
  const { data } = (await company.send<Body<Values[]>>(`${path}&per_page=500`)).body;
  return data.map(({ id }) => id).toSorted();
}

function write(method: 'PATCH' | 'PUT', path: string, json: object) {
  const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' };
  return company.send<Body<Values>>(path, { method, headers, json });
}

/** `middleName` of an employee is a text that the specification does not allow to be null, and not every employee has one. */
describe('a text without a value whose schema does not allow null', () => {
  const hasMiddleName = (each: Values) => Object.hasOwn(each, 'middleName');

  test('is absent from records, and matched by a filter for null, but not by one for an empty text', async () => {
    const employees = await company.all<Values>('/employees');
    const ids = (found: readonly Values[]) => found.map(({ id }) => id).toSorted();
    const without = ids(employees.filter((each) => !hasMiddleName(each)));
    expect(without.length).toBeGreaterThan(0);
    expect(await idsAt('/employees?filter[middleName]=null')).toEqual(without);
    expect(await idsAt('/employees?filter[middleName:neq]=null')).toEqual(ids(employees.filter(hasMiddleName)));
    expect(await idsAt('/employees?filter[middleName]=')).toEqual([]);
  });

  test('is refused as null, and cleared by a replacement that omits it', async () => {
    const [employee] = (await company.send<Body<Values[]>>('/employees?filter[middleName:neq]=null&per_page=1')).body
      .data;
    const { id, name, firstName, lastName } = employee ?? expect.fail('every employee lacks a middle name');
    const path = `/employees/${id}`;
    const named = { name, firstName, lastName };
    const refused = await write('PUT', path, { ...named, middleName: null });
    expect([refused.status, refused.body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
    expect(refused.body.details.map((each) => each.path)).toEqual(['body/middleName']);
    const cleared = await write('PUT', path, named);
    expect([cleared.status, hasMiddleName(cleared.body.data)]).toEqual([200, false]);
    expect(await idsAt('/employees?filter[middleName]=null')).toContain(id);
  });
});

test('a text without a value whose schema allows null is null, can be cleared by null, and is matched by a filter for null', async () => {
  const [vendor] = (await company.send<Body<Values[]>>('/vendors?filter[legalName:neq]=null&per_page=1')).body.data;
  const path = `/vendors/${vendor?.id}`;
  const { status, body } = await write('PATCH', path, { legalName: null });
  expect([status, body.data.legalName]).toEqual([200, null]);
  expect(await idsAt('/vendors?filter[legalName]=null')).toContain(vendor?.id);
});
